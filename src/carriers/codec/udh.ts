/** User data header before a text (3GPP TS 23.040, 9.2.3.24): its length, then elements of tag, length, value. */
export type UserDataHeader = {
  /** Including the length octet. */
  octets: number
  concatenation: Concatenation | null
  /** Language numbers of national tables. */
  locking: number | null
  single: number | null
}

/** Segments of one text share sender, receiver, `reference` and `total`; `segment` counts from 1. */
export type Concatenation = { reference: number; total: number; segment: number }

/** Ignores unknown elements; an element that exceeds the header ends it. A header longer than the text is none. */
export function readUdh(octets: Buffer): UserDataHeader {
  const header: UserDataHeader = { octets: 0, concatenation: null, locking: null, single: null }
  const end = 1 + (octets[0] ?? 0)
  if (end > octets.length) return header
  header.octets = end
  for (let at = 1; at + 2 <= end; at += 2 + octets[at + 1]!) {
    const value = octets.subarray(at + 2, at + 2 + octets[at + 1]!)
    if (at + 2 + value.length > end) break
    readElement(header, octets[at]!, value)
  }
  return header
}

/** `wide`: with a 16-bit reference. */
export function writeUdh({ reference, total, segment }: Concatenation, wide: boolean): Buffer {
  if (wide) return Buffer.from([6, WIDE, 4, (reference >> 8) & 0xff, reference & 0xff, total, segment])
  return Buffer.from([5, NARROW, 3, reference & 0xff, total, segment])
}

/** Padding bits between header and packed text, which begins on a septet boundary. */
export function fillBits(header_octets: number): number {
  return (7 - ((header_octets * 8) % 7)) % 7
}

/** Null for a segment number outside 1…total: the text is then not part of a longer one. */
export function concatenationOf(reference: number, total: number, segment: number): Concatenation | null {
  return segment >= 1 && segment <= total ? { reference, total, segment } : null
}

const NARROW = 0x00
const WIDE = 0x08
const SINGLE_SHIFT = 0x24
const LOCKING_SHIFT = 0x25

/** Tags and lengths of the elements of a text: concatenation and languages. Any other (ports, pictures) marks binary data. */
export const TEXT_ELEMENTS: ReadonlyMap<number, number> = new Map([
  [NARROW, 3],
  [WIDE, 4],
  [SINGLE_SHIFT, 1],
  [LOCKING_SHIFT, 1],
])

function readElement(header: UserDataHeader, tag: number, value: Buffer): void {
  if (tag === NARROW && value.length === 3) {
    header.concatenation = concatenationOf(value[0]!, value[1]!, value[2]!)
  } else if (tag === WIDE && value.length === 4) {
    header.concatenation = concatenationOf(value.readUInt16BE(0), value[2]!, value[3]!)
  } else if (tag === SINGLE_SHIFT && value.length === 1) header.single = value[0]!
  else if (tag === LOCKING_SHIFT && value.length === 1) header.locking = value[0]!
}
