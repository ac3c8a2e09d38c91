import { isAscii } from 'node:buffer'

export type Encoding = 'utf-8' | 'windows-1252'

/** A record of a CSV file. */
export type CsvRecord = {
  /** Where it begins, counted from 1 as an editor does. */
  line: number
  fields: string[]
  /** The byte offset and the line behind it: reading can resume there. */
  end: number
  next_line: number
  /** A quote was opened and not closed. */
  unclosed: boolean
}

export type CsvPlace = { offset: number; line: number }

/** Longest record; a file with an unclosed quote would otherwise be a single one. */
const MAX_RECORD_BYTES = 1024 * 1024
/** Fields read of one record. */
const MAX_RECORD_FIELDS = 10_000
/** Empty lines accepted by one reader. */
export const MAX_EMPTY_LINES = 100_000
export const TOO_EMPTY = `The file has more than ${MAX_EMPTY_LINES.toLocaleString('en')} empty lines.` as const

/** Windows-1252 where it differs from Latin-1. Node 20's decoder for windows-1252 decodes Latin-1. */
const WESTERN = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const QUOTE = 0x22
const CR = 0x0d
const LF = 0x0a

/**
 * Incremental CSV parser: RFC 4180 with any line ending; empty lines are skipped and counted. It works on bytes, so that
 * the position behind a record can be stored and reading can resume there. However the input is split into chunks, each
 * byte is scanned once to find the end of its record and once to split its fields.
 */
export function makeCsvReader(delimiter: string, encoding: Encoding, from: CsvPlace) {
  const separator = delimiter.charCodeAt(0)
  let rest: Buffer = Buffer.alloc(0)
  let { offset, line } = from
  let empty_lines = 0
  /** How far the record at the start of `rest` was scanned for its end, and the parser's state there. */
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
      const fields = end === begin ? [] : splitCsvRecord(decode(begin, end), delimiter)
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

  /** The offset of the record's line ending, or undefined while it has not arrived. */
  function findEnd(begin: number, final: boolean): number | undefined {
    for (let at = Math.max(begin, searched); at < rest.length; at += 1) {
      const byte = rest[at]
      // The next byte may be the second of a doubled quote, or the line feed behind a carriage return.
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

  function decode(begin: number, end: number): string {
    if (encoding === 'utf-8') return rest.toString('utf8', begin, end)
    return rest
      .toString('latin1', begin, end)
      .replace(/[\x80-\x9f]/g, (one) => WESTERN[one.charCodeAt(0) - 0x80] ?? one)
  }

  return {
    /** The records complete with these bytes, at most `most`; the others are returned by the next call. */
    push(bytes: Buffer, most = Infinity): CsvRecord[] {
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
      return read(false, most)
    },
    /** The last record, which may have no line ending. */
    finish: (most = Infinity) => read(true, most),
    /** Why the input cannot be read further. */
    fault: (): 'empty_lines' | 'long_record' | undefined => {
      if (empty_lines > MAX_EMPTY_LINES) return 'empty_lines'
      return rest.length > MAX_RECORD_BYTES ? 'long_record' : undefined
    },
  }
}

/** Splits one record into its fields. A field in quotes may hold delimiters, and quotes written twice. */
export function splitCsvRecord(text: string, delimiter: string): string[] {
  if (!text.includes('"')) return text.split(delimiter, MAX_RECORD_FIELDS)
  const fields: string[] = []
  for (let at = 0; fields.length < MAX_RECORD_FIELDS; at += 1) {
    let value = ''
    if (text[at] === '"') {
      const closing = closingQuote(text, at + 1)
      if (closing === -1) return [...fields, text.slice(at + 1)]
      value = text.slice(at + 1, closing).replaceAll('""', '"')
      at = closing + 1
    }
    const next = text.indexOf(delimiter, at)
    const end = next === -1 ? text.length : next
    fields.push(value + text.slice(at, end))
    if (end === text.length) break
    at = end
  }
  return fields
}

function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from)
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at
}

/**
 * Determines the encoding of a whole file whose beginning was read as `first`: the beginning is often plain ASCII, which
 * is the same in both. Undefined: it is not UTF-8, yet its beginning has UTF-8 sequences.
 */
export function makeEncodingDetector(first: Encoding): { push(bytes: Buffer): void; finish(): Encoding | undefined } {
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

/** Bytes of the first line from which the delimiter is determined. */
const LONGEST_HEAD = 65_536

/** Byte order mark, encoding and delimiter, from the beginning of a file. Undefined: not readable as CSV. */
export function detectCsv(sample: Buffer): { skip: number; encoding: Encoding; delimiter: string } | undefined {
  if (sample.includes(0)) return undefined // UTF-16, or binary
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
