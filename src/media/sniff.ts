import { isUtf8 } from 'node:buffer'

/** How much of a file is enough to recognise it. */
const HEAD_BYTES = 64 * 1024

/**
 * The types that the beginning of a file may be of, the likeliest first; none if it is of no type in `kinds.ts`. Some
 * formats share their container: the declared type then decides.
 */
export function sniffTypes(file: Buffer): readonly string[] {
  const head = file.subarray(0, HEAD_BYTES)
  return SIGNATURES.find(({ is }) => is(head))?.types(head) ?? []
}

/** Whether a WebP file has several frames, by the flags of its extended header. */
export function isAnimatedWebp(head: Buffer): boolean {
  return textAt(head, 12, 4) === 'VP8X' && ((head[20] ?? 0) & 0x02) !== 0
}

type Signature = { is: (head: Buffer) => boolean; types: (head: Buffer) => readonly string[] }

const bytes = (...expected: number[]) => {
  const wanted = Buffer.from(expected)
  return (head: Buffer): boolean => head.subarray(0, wanted.length).equals(wanted)
}
const text =
  (expected: string, at = 0) =>
  (head: Buffer): boolean =>
    textAt(head, at, expected.length) === expected
const type = (...types: string[]) => {
  return (): readonly string[] => types
}

const SIGNATURES: readonly Signature[] = [
  { is: bytes(0xff, 0xd8, 0xff), types: type('image/jpeg') },
  { is: bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), types: type('image/png') },
  { is: (head) => text('RIFF')(head) && text('WEBP', 8)(head), types: type('image/webp') },
  { is: text('ftyp', 4), types: isoTypes },
  { is: text('#!AMR'), types: type('audio/amr') },
  // WhatsApp accepts Ogg with the codec Opus only, whose first packet says so.
  { is: (head) => text('OggS')(head) && head.subarray(0, 512).includes('OpusHead'), types: type('audio/ogg') },
  { is: text('ID3'), types: type('audio/mpeg', 'audio/aac') },
  { is: isAdts, types: type('audio/aac') },
  { is: isMpegAudio, types: type('audio/mpeg') },
  { is: (head) => head.subarray(0, 1_024).includes('%PDF-'), types: type('application/pdf') },
  { is: bytes(0x50, 0x4b, 0x03, 0x04), types: openXmlTypes },
  // The container of Office 97 to 2003. What is in it is said at its end.
  {
    is: bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1),
    types: type('application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint'),
  },
  { is: isText, types: type('text/plain') },
]

/** Of the ISO base media file format: the brand says what it is, except that many recorders name a general one. */
function isoTypes(head: Buffer): readonly string[] {
  const brand = textAt(head, 8, 4)
  if (/^3g[a-z0-9]{2}$/i.test(brand)) return ['video/3gpp']
  if (brand === 'M4A ' || brand === 'M4B ') return ['audio/mp4']
  return /^(isom|iso[2-9]|mp4[12]|avc1|M4V |M4VP|dash|MSNV|f4v )$/.test(brand) ? ['video/mp4', 'audio/mp4'] : []
}

/** Office documents are ZIP archives whose first entries are in a folder named after the application. */
function openXmlTypes(head: Buffer): readonly string[] {
  const names = head.toString('latin1')
  if (!names.includes('[Content_Types].xml') && !names.includes('_rels/.rels')) return []
  const entries = names.split(ZIP_ENTRY).slice(1)
  const folder = entries.map((entry) => /^[^]{26}(word|xl|ppt)\//.exec(entry)?.[1]).find((one) => one !== undefined)
  const known = OPEN_XML[folder ?? '']
  return known === undefined ? Object.values(OPEN_XML) : [known]
}

/** Begins the header of each file in a zip; its name follows after 26 bytes. */
const ZIP_ENTRY = 'PK\x03\x04'
const OPEN_XML: Record<string, string> = {
  word: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xl: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ppt: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
}

/** The frames of AAC: twelve bits of one, and the layer 0. */
function isAdts(head: Buffer): boolean {
  return head[0] === 0xff && ((head[1] ?? 0) & 0xf6) === 0xf0
}

/** The frames of MPEG audio: eleven bits of one, a version, the layer III, and neither a free nor an invalid bit rate. */
function isMpegAudio(head: Buffer): boolean {
  const [first = 0, second = 0, third = 0] = head
  if (first !== 0xff || (second & 0xe6) !== 0xe2 || (second & 0x18) === 0x08) return false
  const rate = third >> 4
  return rate !== 0 && rate !== 0x0f && (third & 0x0c) !== 0x0c
}

/** UTF-8 without control characters that a text does not have. The end may cut a character. */
function isText(head: Buffer): boolean {
  if (head.length === 0) return false
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(head.toString('latin1'))) return false
  return [0, 1, 2, 3].some((cut) => isUtf8(head.subarray(0, Math.max(0, head.length - cut))))
}

function textAt(head: Buffer, at: number, length: number): string {
  return head.toString('latin1', at, at + length)
}
