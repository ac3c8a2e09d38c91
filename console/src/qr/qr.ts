import { codewordsOf } from './codewords.ts'
import { MASKS, penalty } from './masks.ts'

/** Rows of modules; true is dark. */
export type Modules = boolean[][]

/**
 * A QR code by ISO/IEC 18004: bytes, level M, versions 1 to 10 (up to 213 bytes). Of the eight masks the one is taken
 * that readers find easiest. Undefined when the text is too long.
 */
export function qrCode(text: string): Modules | undefined {
  const codewords = codewordsOf(text)
  if (!codewords) return undefined
  const { version, bytes } = codewords
  const candidates = MASKS.map((_, mask) => draw(version, bytes, mask))
  const penalties = candidates.map(penalty)
  return candidates[penalties.indexOf(Math.min(...penalties))]
}

/** The code with one of the masks. */
function draw(version: number, bytes: readonly number[], mask: number): Modules {
  const size = 17 + 4 * version
  // Undefined is room for data.
  const sheet: (boolean | undefined)[][] = Array.from({ length: size }, () => Array.from({ length: size }))
  const set = (x: number, y: number, dark: boolean) => {
    const row = sheet[y]
    if (row && x >= 0 && x < size) row[x] = dark
  }
  drawMarks(set, version, size)
  drawFormat(set, size, mask)
  if (version >= 7) drawVersion(set, size, version)
  const turned = MASKS[mask] ?? (() => false)
  const bits = bytes.flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => ((byte >> bit) & 1) === 1))
  let next = 0
  for (const [x, y] of path(size)) {
    if (sheet[y]?.[x] !== undefined) continue
    set(x, y, (bits[next] ?? false) !== turned(x, y))
    next += 1
  }
  return sheet.map((row) => row.map((dark) => dark === true))
}

type Set = (x: number, y: number, dark: boolean) => void

/** What a reader finds the code by: dotted lines, the squares in three corners, and small ones against bending. */
function drawMarks(set: Set, version: number, size: number): void {
  for (let at = 0; at < size; at += 1) {
    set(at, 6, at % 2 === 0)
    set(6, at, at % 2 === 0)
  }
  const last = size - 7
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const) {
    square(x, y, 4, (ring) => ring !== 2 && ring !== 4, set)
  }
  const middles = version === 1 ? [] : version < 7 ? [6, last] : [6, (last + 6) / 2, last]
  for (const y of middles) {
    for (const x of middles) {
      const in_corner = (x === 6 && y === 6) || (x === 6 && y === last) || (x === last && y === 6)
      if (!in_corner) square(x, y, 2, (ring) => ring !== 1, set)
    }
  }
}

function square(x: number, y: number, reach: number, isDark: (ring: number) => boolean, set: Set): void {
  for (let dy = -reach; dy <= reach; dy += 1) {
    for (let dx = -reach; dx <= reach; dx += 1) set(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))))
  }
}

/** Level and mask, twice, with ten bits to mend them. Level M is written as 00. */
function drawFormat(set: Set, size: number, mask: number): void {
  const bits = ((mask << 10) | remainder(mask, 10, 0x537)) ^ 0x5412
  for (let at = 0; at < 15; at += 1) {
    const dark = ((bits >> at) & 1) === 1
    if (at < 8) set(8, at < 6 ? at : at + 1, dark)
    else set(at === 8 ? 7 : 14 - at, 8, dark)
    if (at < 8) set(size - 1 - at, 8, dark)
    else set(8, size - 15 + at, dark)
  }
  set(8, size - 8, true)
}

/** From version 7 on its number, twice, with twelve bits to mend it. */
function drawVersion(set: Set, size: number, version: number): void {
  const bits = (version << 12) | remainder(version, 12, 0x1f25)
  for (let at = 0; at < 18; at += 1) {
    const [long, short] = [size - 11 + (at % 3), Math.floor(at / 3)]
    const dark = ((bits >> at) & 1) === 1
    set(long, short, dark)
    set(short, long, dark)
  }
}

function remainder(value: number, length: number, divisor: number): number {
  let rest = value
  for (let step = 0; step < length; step += 1) rest = (rest << 1) ^ ((rest >> (length - 1)) * divisor)
  return rest
}

/** Up and down in pairs of columns from the right, leaving out the dotted one. */
function path(size: number): [x: number, y: number][] {
  const rights = Array.from({ length: (size - 1) / 2 }, (_, pair) => size - 1 - 2 * pair).map((x) =>
    x > 6 ? x : x - 1,
  )
  return rights.flatMap((right, pair) =>
    Array.from({ length: 2 * size }, (_, step): [number, number] => {
      const down = Math.floor(step / 2)
      return [right - (step % 2), pair % 2 === 0 ? size - 1 - down : down]
    }),
  )
}
