import type { Readable } from 'node:stream'
import { Refusal } from '../../values/refusal.ts'

/**
 * Yields a body that is a file. One that is too large is read to its end, because clients read the answer only then.
 */
export async function* upTo(stream: Readable, most_bytes: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of stream) {
    const part = Buffer.from(chunk)
    bytes += part.length
    if (bytes <= most_bytes) yield part
  }
  if (bytes > most_bytes) throw new Refusal('body_too_large', 'The file is too large: upload it in parts.')
}

export async function wholeFile(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const part of parts) all.push(part)
  return Buffer.concat(all)
}
