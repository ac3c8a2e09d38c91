import { errorCorrection } from './reed-solomon.ts'

/** Of each version from 1 on, at the level M (15 % may be unreadable): bytes in all, blocks, bytes to mend each block. */
const SIZES: readonly (readonly [bytes: number, blocks: number, mending: number])[] = [
  [26, 1, 10],
  [44, 1, 16],
  [70, 1, 26],
  [100, 2, 18],
  [134, 2, 24],
  [172, 4, 16],
  [196, 4, 18],
  [242, 4, 22],
  [292, 5, 22],
  [346, 5, 26],
]

type Codewords = { version: number; bytes: number[] }

/** The smallest code that holds the text, in the order in which it is drawn; undefined when none does. */
export function codewordsOf(text: string): Codewords | undefined {
  const given = [...new TextEncoder().encode(text)]
  for (const [at, [bytes, blocks, mending]] of SIZES.entries()) {
    const version = at + 1
    const room = bytes - blocks * mending
    const count_bits = version < 10 ? 8 : 16
    if (given.length * 8 + 4 + count_bits > room * 8) continue
    return { version, bytes: interleave(pad(given, count_bits, room), blocks, mending) }
  }
  return undefined
}

/** Mode "bytes", length, data, terminator, and two alternating filler bytes. */
function pad(given: readonly number[], count_bits: number, room: number): number[] {
  const bits = [[0b0100, 4], [given.length, count_bits], ...given.map((byte) => [byte, 8]), [0, 4]]
    .map(([value = 0, length = 0]) => value.toString(2).padStart(length, '0'))
    .join('')
    .slice(0, room * 8)
  const bytes = (bits.match(/.{1,8}/g) ?? []).map((octet) => Number.parseInt(octet.padEnd(8, '0'), 2))
  for (let filler = 0xec; bytes.length < room; filler ^= 0xec ^ 0x11) bytes.push(filler)
  return bytes
}

/** Blocks have separate error correction and are interleaved. The last may be longer. */
function interleave(data: readonly number[], blocks: number, mending: number): number[] {
  const shorter = Math.floor(data.length / blocks)
  const short_blocks = blocks - (data.length % blocks)
  const parts = Array.from({ length: blocks }, (_, block) => {
    const start = block * shorter + Math.max(0, block - short_blocks)
    return data.slice(start, start + shorter + (block < short_blocks ? 0 : 1))
  })
  const mends = parts.map((part) => errorCorrection(part, mending))
  return [...inTurns(parts), ...inTurns(mends)]
}

function inTurns(parts: readonly (readonly number[])[]): number[] {
  const longest = Math.max(...parts.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) => parts.flatMap((part) => part.slice(at, at + 1))).flat()
}
