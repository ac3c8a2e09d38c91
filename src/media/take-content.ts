import { createHash } from 'node:crypto'
import { TextDecoder } from 'node:util'
import { inChunks } from '../values/octets/in-chunks.ts'
import { kindOf, mostBytes, UNKNOWN_TYPE } from './kinds.ts'
import { isAnimatedWebp, sniffTypes } from './sniff.ts'

export type Content = { type: string; size: number; sha256: Buffer }

/** What its sender says of a file. */
export type Declared = {
  /** Undefined: nothing. */
  type: string | undefined
  /** A document may be of a type that is not known: it is stored as `application/octet-stream`. */
  takes_unknown?: boolean
}

/** A file that is not taken, in a sentence for its sender. */
export class UnfitFile extends Error {
  readonly is_too_large: boolean

  constructor(sentence: string, is_too_large = false) {
    super(sentence)
    this.is_too_large = is_too_large
  }
}

/**
 * Reads a file once, in pieces of bounded size, and passes them on to be stored. Its first piece decides its type, which
 * decides how long it may be: a longer one is refused before the rest is read.
 */
export async function takeContent(
  file: AsyncIterable<Buffer>,
  declared: Declared,
  store: (position: number, bytes: Buffer) => Promise<void>,
): Promise<Content> {
  const hash = createHash('sha256')
  let type: string | undefined
  let most = 0
  let size = 0
  let text: TextDecoder | undefined
  for await (const chunk of inChunks(within(file, () => most))) {
    if (type === undefined) {
      type = decideType(chunk, declared)
      most = mostBytes(type, type === 'image/webp' && isAnimatedWebp(chunk))
      if (type === 'text/plain') text = new TextDecoder('utf-8', { fatal: true })
    }
    requireSize(size + chunk.length, most)
    if (text) requireText(text, chunk)
    hash.update(chunk)
    await store(size, chunk)
    size += chunk.length
  }
  if (type === undefined) throw new UnfitFile('The file is empty.')
  if (text) requireText(text)
  return { type, size, sha256: hash.digest() }
}

/** Ends a stream once it is longer than the file may be; 0: that is not known yet. */
async function* within(file: AsyncIterable<Buffer>, most: () => number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const piece of file) {
    size += piece.length
    if (most() > 0) requireSize(size, most())
    yield piece
  }
}

function requireSize(size: number, most: number): void {
  if (size <= most) return
  const limit = most >= MB ? `${most / MB} MB` : `${most / 1024} KB`
  throw new UnfitFile(`The file is too large: a file of this type may have ${limit}.`, true)
}

const MB = 1024 * 1024

/** By its content. The declared type must be among those that the content may be of, and chooses if there are several. */
function decideType(head: Buffer, { type: declared, takes_unknown = false }: Declared): string {
  const found = sniffTypes(head)
  const [first, ...others] = found
  if (declared !== undefined && found.includes(declared)) return declared
  if (declared !== undefined && kindOf(declared) !== undefined) {
    throw new UnfitFile(`The file is declared as ${declared}, but it is ${first ?? 'of another type'}.`)
  }
  if (takes_unknown) return first !== undefined && others.length === 0 ? first : UNKNOWN_TYPE
  if (declared !== undefined) throw new UnfitFile(`WhatsApp does not send files of the type ${declared}.`)
  if (first === undefined) throw new UnfitFile('The file is of no type that WhatsApp sends.')
  if (isAmbiguous(found)) throw new UnfitFile(`The file may be ${found.join(' or ')}: declare which it is.`)
  return first
}

/** A recording in a general container is a video unless it is declared otherwise. */
function isAmbiguous(found: readonly string[]): boolean {
  return found.length > 1 && found.every((type) => kindOf(type) === 'document')
}

function requireText(decoder: TextDecoder, chunk?: Buffer): void {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined })
  } catch {
    throw new UnfitFile('The file is declared as text/plain, but it is not in UTF-8.')
  }
}
