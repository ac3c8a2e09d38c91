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
const MAX_RECORD_BYTES = 1024 * 1024
/** Fields of a record that are read; no table has as many columns. */
const MAX_RECORD_FIELDS = 10_000
/** Lines without a value, in what one reader is given. */
export const MAX_EMPTY_LINES = 100_000
export const TOO_EMPTY = `The file has more than ${MAX_EMPTY_LINES.toLocaleString('en')} empty lines.` as const

/** What Windows-1252 has where Latin-1 has control characters. The decoder of Node 20 takes the one for the other. */
const WESTERN = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const QUOTE = 0x22
const CR = 0x0d
const LF = 0x0a

/**
 * Reads CSV as RFC 4180 has it, and what spreadsheets make of it: any of the line ends, quotes inside quoted fields
 * doubled, empty lines left out and counted. Works on bytes, so that a place in the file can be kept and read on from. Each
 * byte is looked at once to find the end of its record, however the bytes are cut, and once more to read its fields.
 */
export function makeCsvReader(delimiter: string, encoding: Encoding, from: CsvPlace) {
  const separator = delimiter.charCodeAt(0)
  let rest: Buffer = Buffer.alloc(0)
  let { offset, line } = from
  let empty_lines = 0
  /** How far the record that begins `rest` was searched for its end, and what stands there. */
  let searched = 0
  let inside: 'begin' | 'plain' | 'quoted' = 'begin'
  let breaks = 0

  function read(final: boolean, most: number): CsvRecord[] {
    const records: CsvRecord[] = []
    let at = 0
    while (at < rest.length && records.length < most && empty_lines <= MAX_EMPTY_LINES) {
      const begin = at
      const end = findEnd(at, final)
      if (end === undefined) break
      at = afterEnd(end)
      const next_line = line + breaks + 1
      const unclosed = inside === 'quoted'
      const fields = end === begin ? [] : readFields(begin, end)
      if (fields.length > 1 || (fields[0] ?? '') !== '')
        records.push({ line, fields, end: offset + at, next_line, unclosed })
      else empty_lines += 1
      line = next_line
      searched = at
      inside = 'begin'
      breaks = 0
    }
    rest = rest.subarray(at)
    searched = Math.max(0, searched - at)
    offset += at
    return records
  }

  /** Where the line end of the record stands, or undefined when it has not come yet. */
  function findEnd(begin: number, final: boolean): number | undefined {
    for (let at = Math.max(begin, searched); at < rest.length; at += 1) {
      const byte = rest[at]
      // What comes next may be a quote's second half or the line feed of a carriage return.
      const is_cut = at + 1 === rest.length && !final
      if (inside === 'quoted') {
        if (byte === LF) breaks += 1
        if (byte !== QUOTE) continue
        if (is_cut) return stay(at)
        if (rest[at + 1] === QUOTE) at += 1
        else inside = 'plain'
      } else if (byte === LF || byte === CR) return is_cut && byte === CR ? stay(at) : at
      else if (byte === separator) inside = 'begin'
      else if (inside === 'begin') inside = byte === QUOTE ? 'quoted' : 'plain'
    }
    return final ? rest.length : stay(rest.length)
  }

  function stay(at: number): undefined {
    searched = at
  }

  function afterEnd(end: number): number {
    return Math.min(rest.length, rest[end] === CR && rest[end + 1] === LF ? end + 2 : end + 1)
  }

  function readFields(begin: number, end: number): string[] {
    const fields: string[] = []
    for (let at = begin; fields.length < MAX_RECORD_FIELDS; at += 1) {
      let value = ''
      if (at < end && rest[at] === QUOTE) {
        const closing = closingQuote(at + 1, end)
        if (closing === undefined) return [...fields, decode(at + 1, end)]
        // Decoded as a whole: a field of a million quotes is read as quickly as another.
        value = decode(at + 1, closing).replaceAll('""', '"')
        at = closing + 1
      }
      const plain = at
      while (at < end && rest[at] !== separator) at += 1
      if (at > plain) value += decode(plain, at)
      fields.push(value)
      if (at >= end) break
    }
    return fields
  }

  function closingQuote(begin: number, end: number): number | undefined {
    for (let at = begin; at < end; at += 1) {
      if (rest[at] !== QUOTE) continue
      if (at + 1 >= end || rest[at + 1] !== QUOTE) return at
      at += 1
    }
    return undefined
  }

  function decode(begin: number, end: number): string {
    if (encoding === 'utf-8') return rest.toString('utf8', begin, end)
    return rest
      .toString('latin1', begin, end)
      .replace(/[\x80-\x9f]/g, (one) => WESTERN[one.charCodeAt(0) - 0x80] ?? one)
  }

  return {
    /** The records that end in the bytes so far; or the first so many of them, where no more is read. */
    push(bytes: Buffer, most = Infinity): CsvRecord[] {
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
      return read(false, most)
    },
    /** The last record, which may end without a line break. */
    finish: (most = Infinity) => read(true, most),
    /** Why reading has to end here. */
    fault: (): 'empty_lines' | 'long_record' | undefined => {
      if (empty_lines > MAX_EMPTY_LINES) return 'empty_lines'
      return rest.length > MAX_RECORD_BYTES ? 'long_record' : undefined
    },
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
