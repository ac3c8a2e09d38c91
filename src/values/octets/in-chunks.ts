/** Size of the pieces in which files are stored. */
export const CHUNK_BYTES = 256 * 1024

/** Regroups a stream into pieces of `CHUNK_BYTES`; the last one may be shorter. */
export async function* inChunks(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer, undefined> {
  let waiting: Buffer[] = []
  let length = 0
  for await (const piece of file) {
    waiting.push(piece)
    length += piece.length
    while (length >= CHUNK_BYTES) {
      const all = Buffer.concat(waiting)
      yield all.subarray(0, CHUNK_BYTES)
      waiting = [all.subarray(CHUNK_BYTES)]
      length -= CHUNK_BYTES
    }
  }
  if (length > 0) yield Buffer.concat(waiting)
  return undefined
}
