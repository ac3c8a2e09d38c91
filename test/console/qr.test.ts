import { assert, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { penalty } from '../../console/src/qr/masks.ts'
import { qrCode, type Modules } from '../../console/src/qr/qr.ts'
import { errorCorrection } from '../../console/src/qr/reed-solomon.ts'

/** The fifteen format bits for level M and each mask, and the eighteen version bits, as listed in the standard. */
const FORMATS = [
  '101010000010010',
  '101000100100101',
  '101111001111100',
  '101101101001011',
  '100010111111001',
  '100000011001110',
  '100111110010111',
  '100101010100000',
]
const VERSIONS: Record<number, string> = {
  7: '000111110010010100',
  8: '001000010110111100',
  9: '001001101010011001',
  10: '001010010011010011',
}
const TURNED = [
  (i: number, j: number) => (i + j) % 2,
  (i: number) => i % 2,
  (_: number, j: number) => j % 3,
  (i: number, j: number) => (i + j) % 3,
  (i: number, j: number) => (Math.floor(i / 2) + Math.floor(j / 3)) % 2,
  (i: number, j: number) => ((i * j) % 2) + ((i * j) % 3),
  (i: number, j: number) => (((i * j) % 2) + ((i * j) % 3)) % 2,
  (i: number, j: number) => (((i * j) % 3) + ((i + j) % 2)) % 2,
]
const CENTRES = [[], [18], [22], [26], [30], [34], [22, 38], [24, 42], [26, 46], [28, 50]]
/** Data bytes of each block, and its error correction bytes. */
const BLOCKS: [number[], number][] = [
  [[16], 10],
  [[28], 16],
  [[44], 26],
  [[32, 32], 18],
  [[43, 43], 24],
  [[27, 27, 27, 27], 16],
  [[31, 31, 31, 31], 18],
  [[38, 38, 39, 39], 22],
  [[36, 36, 36, 37, 37], 22],
  [[43, 43, 43, 43, 44], 26],
]

test('the textbook example has the published error correction', () => {
  const data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17]
  expect(errorCorrection(data, 10)).toEqual([196, 35, 39, 119, 235, 215, 231, 226, 93, 23])
})

test('a blank sheet has the known penalty', () => {
  const white = Array.from({ length: 21 }, () => Array.from({ length: 21 }, () => false))
  expect(penalty(white)).toBe(42 * 19 + 3 * 400 + 10 * 10)
})

describe('a code', () => {
  test.each([1, 14, 15, 26, 27, 42, 43, 62, 63, 84, 85, 106, 107, 122, 123, 152, 153, 180, 181, 213])(
    'of %i bytes is read back',
    (length) => {
      const text = Array.from({ length }, (_, at) => String.fromCharCode(33 + ((at * 7 + length) % 90))).join('')
      expect(read(qrCode(text))).toBe(text)
    },
  )

  test('of any text is read back', () => {
    assert(
      property(string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        expect(read(qrCode(text))).toBe(text)
      }),
      { numRuns: 50 },
    )
  })

  test('of more than the capacity is not created', () => {
    expect(qrCode('x'.repeat(214))).toBeUndefined()
  })
})

/** A decoder by the standard, which corrects no errors but detects them. */
function read(modules: Modules = []): string {
  const size = modules.length
  const version = (size - 17) / 4
  const bit = (row: number, column: number) => (modules[row]?.[column] ? 1 : 0)
  const mask = readMask(bit, size)
  const written = VERSIONS[version]
  expect(version < 7 ? [] : readVersions(bit, size)).toEqual(written === undefined ? [] : [written, written])
  const bits: number[] = []
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step += 1) {
      const row = up ? size - 1 - step : step
      for (const column of [right, right - 1]) {
        if (isMark(version, size, row, column)) continue
        bits.push(bit(row, column) ^ (TURNED[mask]?.(row, column) === 0 ? 1 : 0))
      }
    }
  }
  const bytes = (bits.join('').match(/.{8}/g) ?? []).map((octet) => Number.parseInt(octet, 2))
  return readText(readBlocks(version, bytes), version)
}

type Bit = (row: number, column: number) => number

function readMask(bit: Bit, size: number): number {
  const line = (cells: [number, number][]) => cells.map(([row, column]) => bit(row, column)).join('')
  const across = [0, 1, 2, 3, 4, 5, 7, 8].map((column): [number, number] => [8, column])
  const first = line([...across, ...[7, 5, 4, 3, 2, 1, 0].map((row): [number, number] => [row, 8])])
  const below = [1, 2, 3, 4, 5, 6, 7].map((at): [number, number] => [size - at, 8])
  const beside = [8, 7, 6, 5, 4, 3, 2, 1].map((at): [number, number] => [8, size - at])
  expect(line([...below, ...beside])).toBe(first)
  expect(bit(size - 8, 8)).toBe(1)
  expect(FORMATS).toContain(first)
  return FORMATS.indexOf(first)
}

function readVersions(bit: Bit, size: number): [string, string] {
  const places = Array.from(
    { length: 18 },
    (_, at) => [Math.floor((17 - at) / 3), size - 11 + ((17 - at) % 3)] as const,
  )
  return [places.map(([a, b]) => bit(a, b)).join(''), places.map(([a, b]) => bit(b, a)).join('')]
}

function isMark(version: number, size: number, row: number, column: number): boolean {
  const corner = (row < 9 && (column < 9 || column >= size - 8)) || (row >= size - 8 && column < 9)
  if (corner || row === 6 || column === 6) return true
  if (version >= 7 && Math.min(row, column) < 6 && Math.max(row, column) >= size - 11) return true
  const centres = [6, ...(CENTRES[version - 1] ?? [])]
  const last = centres.at(-1) ?? 6
  return centres.some((y) =>
    centres.some((x) => {
      const taken = (x === 6 && (y === 6 || y === last)) || (y === 6 && x === last)
      return version > 1 && !taken && Math.abs(row - y) <= 2 && Math.abs(column - x) <= 2
    }),
  )
}

function readBlocks(version: number, bytes: readonly number[]): number[] {
  const [lengths, mending] = BLOCKS[version - 1] ?? [[], 0]
  const blocks = lengths.map((): number[] => [])
  let next = 0
  for (let at = 0; at < Math.max(...lengths); at += 1) {
    for (const [index, length] of lengths.entries()) if (at < length) blocks[index]?.push(bytes[next++] ?? 0)
  }
  const data = blocks.flat()
  for (let at = 0; at < mending; at += 1) for (const block of blocks) block.push(bytes[next++] ?? 0)
  expect(next).toBe(bytes.length)
  for (const block of blocks) {
    for (let power = 0, root = 1; power < mending; power += 1, root = multiply(root, 2)) {
      expect(block.reduce((sum, byte) => multiply(sum, root) ^ byte, 0)).toBe(0)
    }
  }
  return data
}

/** Bit by bit, without tables. */
function multiply(a: number, b: number): number {
  let product = 0
  for (let shifted = a, left = b; left > 0; left >>= 1) {
    if (left & 1) product ^= shifted
    shifted = shifted & 128 ? (shifted << 1) ^ 0x11d : shifted << 1
  }
  return product
}

function readText(data: readonly number[], version: number): string {
  const bits = data.map((byte) => byte.toString(2).padStart(8, '0')).join('')
  expect(bits.slice(0, 4)).toBe('0100')
  const start = version < 10 ? 12 : 20
  const length = Number.parseInt(bits.slice(4, start), 2)
  const octets = bits.slice(start, start + 8 * length).match(/.{8}/g) ?? []
  expect(octets).toHaveLength(length)
  return new TextDecoder().decode(Uint8Array.from(octets, (octet) => Number.parseInt(octet, 2)))
}
