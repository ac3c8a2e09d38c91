import type { Readable } from 'node:stream'
import { Refusal } from '../../values/refusal.ts'

/** A file that came as the body. One that is too large is heard to its end: only then is the answer heard. */
export async function wholeFile(stream: Readable, most_bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    const part = Buffer.from(chunk)
    bytes += part.length
    if (bytes <= most_bytes) chunks.push(part)
  }
  if (bytes > most_bytes) throw new Refusal('body_too_large', 'The file is too large: upload it in parts.')
  return Buffer.concat(chunks)
}
