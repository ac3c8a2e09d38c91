import type { FileHandle } from 'node:fs/promises'

/** Whole lines of a file, and the position of their end. */
export type Block = { text: string; end: number }

/** Bounds the memory for a file without line breaks. */
const MAX_LINE_BYTES = 64 * 1024

/** Reads a file in blocks of whole lines, from the given position on. At most two blocks are in memory. */
export async function* readBlocks(file: FileHandle, from: number, block_bytes: number): AsyncGenerator<Block> {
  let rest: Buffer = Buffer.alloc(0)
  let position = from
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(block_bytes), 0, block_bytes, position)
    if (bytesRead === 0) break
    position += bytesRead
    const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)])
    const whole = bytes.lastIndexOf(10) + 1
    rest = bytes.subarray(whole)
    if (rest.length > MAX_LINE_BYTES) throw new NotLines()
    if (whole > 0) yield { text: bytes.toString('utf8', 0, whole), end: position - rest.length }
  }
  if (rest.length > 0) yield { text: `${rest.toString()}\n`, end: position }
}

export class NotLines extends Error {
  constructor() {
    super(`The file has a line of more than ${MAX_LINE_BYTES} bytes: is it CSV?`)
  }
}
