import { BASIC, EXTENSION } from '../../values/sms/page-form.ts'

/** Encodes a text with one septet per octet; null if the alphabet lacks a character. */
export function encodeGsm(text: string): Buffer | null {
  const octets = Buffer.allocUnsafe(text.length * 2)
  let at = 0
  for (let i = 0; i < text.length; i++) {
    const code = CODE_OF[text.charCodeAt(i)]!
    if (code === MISSING) return null
    if (code > 0x7f) octets[at++] = ESCAPE
    octets[at++] = code & 0x7f
  }
  return octets.subarray(0, at)
}

/**
 * Codes in no table decode as a space, and an escape before a code that the extension lacks is ignored, as on phones. An
 * escape at the end decodes as `open_escape`.
 */
export function decodeGsm(octets: Uint8Array, tables: GsmTables = DEFAULT_TABLES, open_escape = ''): string {
  let text = ''
  for (let i = 0; i < octets.length; i++) {
    const code = octets[i]! & 0x7f
    if (code !== ESCAPE) text += tables.basic[code]!
    else if (++i < octets.length) {
      const escaped = octets[i]! & 0x7f
      text += tables.extension.get(escaped) ?? tables.basic[escaped]!
    } else text += open_escape
  }
  return text
}

/** 128 characters with a space at the escape, and the extension table. */
export type GsmTables = { basic: string; extension: ReadonlyMap<number, string> }

export const ESCAPE = 0x1b

/**
 * Eight septets in seven octets, the first in the lowest bits (3GPP TS 23.038, 6.1.2.1). `fill_bits` align the first
 * septet after a header.
 */
export function packSeptets(septets: Uint8Array, fill_bits = 0): Buffer {
  const packed = Buffer.alloc(Math.ceil((septets.length * 7 + fill_bits) / 8))
  for (let i = 0, bit = fill_bits; i < septets.length; i++, bit += 7) {
    const shifted = septets[i]! << (bit & 7)
    const at = bit >> 3
    packed[at]! |= shifted & 0xff
    if (shifted > 0xff) packed[at + 1] = shifted >> 8
  }
  // Seven spare bits would decode as `@`: the specification puts a carriage return there.
  const spare_bits = packed.length * 8 - fill_bits - septets.length * 7
  if (spare_bits === 7) packed[packed.length - 1]! |= PADDING << 1
  return packed
}

/** The number of septets is not transmitted, so a last one that may be padding (CR or `@`) is removed. */
export function unpackSeptets(packed: Uint8Array, fill_bits = 0): Buffer {
  const count = Math.max(0, Math.floor((packed.length * 8 - fill_bits) / 7))
  const septets = Buffer.allocUnsafe(count)
  for (let i = 0, bit = fill_bits; i < count; i++, bit += 7) {
    const at = bit >> 3
    septets[i] = ((((packed[at + 1] ?? 0) << 8) | packed[at]!) >> (bit & 7)) & 0x7f
  }
  const spare_bits = packed.length * 8 - fill_bits - count * 7
  const last = septets[count - 1]
  return spare_bits === 0 && (last === 0 || last === PADDING) ? septets.subarray(0, count - 1) : septets
}

const PADDING = 0x0d
const MISSING = 0xff
// The code of each UTF-16 unit; those of the extension table have the eighth bit set.
const CODE_OF = new Uint8Array(65_536).fill(MISSING)
const BASIC_TABLE = `${BASIC.slice(0, ESCAPE)} ${BASIC.slice(ESCAPE)}`
for (let code = 0; code < 128; code++) if (code !== ESCAPE) CODE_OF[BASIC_TABLE.charCodeAt(code)] = code

const EXTENSION_CODES = [0x0a, 0x14, 0x28, 0x29, 0x2f, 0x3c, 0x3d, 0x3e, 0x40, 0x65]
const EXTENSION_TABLE = new Map(EXTENSION_CODES.map((code, i) => [code, EXTENSION[i]!]))
for (const [code, character] of EXTENSION_TABLE) CODE_OF[character.charCodeAt(0)] = code | 0x80

export const DEFAULT_TABLES: GsmTables = { basic: BASIC_TABLE, extension: EXTENSION_TABLE }
