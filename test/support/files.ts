import { randomBytes } from 'node:crypto'

/** A picture of one pixel, which browsers show. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Files that begin as their types do; the rest is noise. */
const HEADS = {
  png: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
  jpeg: Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
  pdf: Buffer.from('%PDF-1.7\n'),
  mp4: Buffer.from('\0\0\0\x18ftypisom', 'latin1'),
}

export function fileOf(type: keyof typeof HEADS, size = 1_000): Buffer {
  const head = HEADS[type]
  return Buffer.concat([head, randomBytes(size - head.length)])
}
