import { isAscii } from 'node:buffer'

export type Encoding = 'utf-8' | 'windows-1252'

/** A record of a CSV file. */
export type CsvRecord = {
  /** Where it begins, counted from 1 as an editor does. */
  line: number
  fields: string[]
  /** The byte behind it and the line there: reading can begin there again. */
  end: number
  next_line: number
  /** A quote was opened and never closed. */
  unclosed: boolean
}

export type CsvPlace = { offset: number; line: number }

/** No record is longer; a file with an open quote would otherwise be one. */
export const MAX_RECORD_BYTES = 1024 * 1024

/** What Windows-1252 has where Latin-1 has control characters. The decoder of Node 20 takes the one for the other. */
const WESTERN = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const QUOTE = 0x22
const CR = 0x0d
const LF = 0x0a

/**
 * Reads CSV as RFC 4180 has it, and what spreadsheets make of it: any of the line ends, quotes inside quoted fields
 * doubled, blank lines left out. Works on bytes, so that a place in the file can be kept and read on from.
 */
export function makeCsvReader(delimiter: string, encoding: Encoding, from: CsvPlace) {
  const separator = delimiter.charCodeAt(0)
  let rest: Buffer = Buffer.alloc(0)
  let { offset, line } = from

  function read(final: boolean): CsvRecord[] {
    const records: CsvRecord[] = []
    let at = 0
    while (at < rest.length) {
      const record = readRecord(at, final)
      if (!record) break
      at = record.next
      const { fields, unclosed } = record
      const next_line = line + record.lines
      if (fields.length > 1 || fields[0] !== '') records.push({ line, fields, end: offset + at, next_line, unclosed })
      line = next_line
    }
    rest = rest.subarray(at)
    offset += at
    return records
  }

  /** The record that begins here, or undefined when its end has not come yet. */
  function readRecord(begin: number, final: boolean) {
    const fields: string[] = []
    let at = begin
    let lines = 0
    for (;;) {
      let value = ''
      if (rest[at] === QUOTE) {
        const quoted = readQuoted(at + 1)
        if (!quoted) {
          if (!final) return undefined
          fields.push(decode(at + 1, rest.length))
          return { fields, next: rest.length, lines: lines + 1, unclosed: true }
        }
        value = quoted.value
        lines += quoted.lines
        at = quoted.next
      }
      const begin_of_plain = at
      while (at < rest.length && rest[at] !== separator && rest[at] !== LF && rest[at] !== CR) at += 1
      if (at > begin_of_plain) value += decode(begin_of_plain, at)
      // What comes next may be a quote's second half or the line feed of a carriage return.
      if (at >= rest.length - 1 && !final && rest[at] !== LF) return undefined
      fields.push(value)
      if (rest[at] === separator && at < rest.length) {
        at += 1
        continue
      }
      const next = rest[at] === CR && rest[at + 1] === LF ? at + 2 : at + 1
      return { fields, next: Math.min(next, rest.length), lines: lines + 1, unclosed: false }
    }
  }

  /** The text up to the closing quote, decoded as a whole: a field of a million quotes is read as quickly as another. */
  function readQuoted(begin: number) {
    let lines = 0
    let doubled = false
    let at = begin
    for (; at < rest.length; at += 1) {
      const byte = rest[at]
      if (byte === LF) lines += 1
      if (byte !== QUOTE) continue
      if (rest[at + 1] !== QUOTE) break
      doubled = true
      at += 1
    }
    if (at >= rest.length) return undefined
    const text = decode(begin, at)
    return { value: doubled ? text.replaceAll('""', '"') : text, lines, next: at + 1 }
  }

  function decode(begin: number, end: number): string {
    if (encoding === 'utf-8') return rest.toString('utf8', begin, end)
    return rest
      .toString('latin1', begin, end)
      .replace(/[\x80-\x9f]/g, (one) => WESTERN[one.charCodeAt(0) - 0x80] ?? one)
  }

  return {
    /** The records that end in the bytes so far. */
    push(bytes: Buffer): CsvRecord[] {
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
      return read(false)
    },
    /** The last record, which may end without a line break. */
    finish: () => read(true),
    /** Bytes of a record that has not ended yet. */
    waiting: () => rest.length,
  }
}

/**
 * Which encoding a file has in the end, where its beginning was read as this one: of an export of a thousand people often
 * none has an accent, and plain letters are the same in all. Undefined: it is neither, in different places.
 */
export function makeTellEncoding(first: Encoding): { push(bytes: Buffer): void; finish(): Encoding | undefined } {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let is_plain = true
  let is_utf8 = true
  const read = (bytes?: Buffer): void => {
    if (first !== 'utf-8' || !is_utf8) return
    try {
      decoder.decode(bytes, { stream: bytes !== undefined })
      is_plain &&= bytes === undefined || isAscii(bytes)
    } catch {
      is_utf8 = false
    }
  }
  return {
    push: read,
    finish() {
      read()
      if (first !== 'utf-8' || is_utf8) return first
      return is_plain ? 'windows-1252' : undefined
    },
  }
}

/** The first line tells the delimiter; more of it than this tells no more. */
const LONGEST_HEAD = 65_536

/** Byte order mark, encoding and delimiter, from the beginning of a file. Undefined: nothing we can read. */
export function detectCsv(sample: Buffer): { skip: number; encoding: Encoding; delimiter: string } | undefined {
  if (sample.includes(0)) return undefined // UTF-16, or no text at all
  const skip = sample[0] === 0xef && sample[1] === 0xbb && sample[2] === 0xbf ? 3 : 0
  let encoding: Encoding = 'utf-8'
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true })
  } catch {
    encoding = 'windows-1252'
  }
  const [head = ''] = sample
    .subarray(skip, skip + LONGEST_HEAD)
    .toString('latin1')
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/[\r\n]/, 1)
  const counts = [',', ';', '\t', '|'].map((delimiter) => ({ delimiter, count: head.split(delimiter).length }))
  const [best] = counts.toSorted((a, b) => b.count - a.count)
  return { skip, encoding, delimiter: best?.delimiter ?? ',' }
}
