/**
 * What a short message carries that is no text of ours to write: settings, tones, what an application listens for on a
 * port. Octets, with a header (UDH) or without, and the data coding that goes with them. Kept as hex with blanks between,
 * the data coding first: `04 06050415820000 48656c6c6f`.
 */
export type BinaryText = {
  data_coding: number
  /** With the octet that says how long it is; empty where there is none. */
  header: Buffer
  data: Buffer
}

/** Of a short message, header and data together. */
const OCTETS = 140
const SEGMENT_NUMBER = 0x00
const WIDE_SEGMENT_NUMBER = 0x08
const NUMBER_OCTETS = 5
/** What one character needs at most. */
const MIN_DATA_OCTETS = 2
const ESCAPE = 0x1b
/** Bits of the data coding scheme: septets, octets or UCS-2. */
const WIDTH = 0x0c
const UCS2 = 0x08

export function writeBinary({ data_coding, header, data }: BinaryText): string {
  const coding = data_coding.toString(16).padStart(2, '0')
  return [coding, ...(header.length > 0 ? [header.toString('hex')] : []), data.toString('hex')].join(' ')
}

export function readBinary(kept: string): BinaryText {
  const parts = kept.split(' ').map((hex) => Buffer.from(hex, 'hex'))
  const [coding, header, data] = parts.length > 2 ? parts : [parts[0], NOTHING, parts[1]]
  return { data_coding: coding?.[0] ?? 0, header: header ?? NOTHING, data: data ?? NOTHING }
}

const NOTHING = Buffer.alloc(0)

/** The tags of a header's elements; undefined where it is none: its lengths do not add up. */
export function readTags(header: Buffer): number[] | undefined {
  const tags: number[] = []
  let at = 1
  for (; at + 1 < header.length; at += 2 + (header[at + 1] ?? 0)) tags.push(header[at] ?? 0)
  return header[0] === header.length - 1 && at === header.length ? tags : undefined
}

/** Whether its header already numbers it as a segment: then it is not split again. */
export function isNumbered({ header }: Pick<BinaryText, 'header'>): boolean {
  return readTags(header)?.some((tag) => tag === SEGMENT_NUMBER || tag === WIDE_SEGMENT_NUMBER) ?? false
}

/** The number of short messages it needs; Infinity if its header leaves no space for data. */
export function countPages(binary: BinaryText): number {
  return endsOf(binary)?.length ?? Infinity
}

/** Its short messages in order. Where there are several their number stands behind what the header has already. */
export function splitBinary(binary: BinaryText, reference: number): { header: Buffer; data: Buffer }[] {
  const { header, data } = binary
  const ends = endsOf(binary) ?? []
  if (ends.length === 1) return [{ header, data }]
  return ends.map((end, n) => ({
    header: Buffer.concat([
      Buffer.from([numberedLength(header) - 1]),
      header.subarray(1),
      Buffer.from([SEGMENT_NUMBER, 3, reference & 0xff, ends.length, n + 1]),
    ]),
    data: data.subarray(ends[n - 1] ?? 0, end),
  }))
}

/** Where each segment of the data ends. */
function endsOf(binary: BinaryText): number[] | undefined {
  const { header, data } = binary
  if (data.length <= dataOctetsBeside(header.length, binary)) return [data.length]
  const capacity = dataOctetsBeside(numberedLength(header), binary)
  if (capacity < MIN_DATA_OCTETS) return undefined
  const ends: number[] = []
  for (let end = 0; end < data.length; ends.push(end)) end = wholeEnd(binary, Math.min(data.length, end + capacity))
  return ends
}

/** No character of two is split: an escape of GSM and what it is for, both octets of UCS-2. */
function wholeEnd({ data_coding, data }: BinaryText, end: number): number {
  if (end === data.length) return end
  if (isSeptets(data_coding)) return data[end - 1] === ESCAPE ? end - 1 : end
  return (data_coding & WIDTH) === UCS2 ? end & ~1 : end
}

function dataOctetsBeside(header_octets: number, { data_coding }: BinaryText): number {
  const octets = OCTETS - header_octets
  return isSeptets(data_coding) ? Math.floor((octets * 8) / 7) : octets
}

/** Each septet is kept as an octet of its own; how it travels is for the carrier to say. */
export function isSeptets(data_coding: number): boolean {
  return (data_coding & WIDTH) === 0
}

function numberedLength(header: Buffer): number {
  return Math.max(header.length, 1) + NUMBER_OCTETS
}
