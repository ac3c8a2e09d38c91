import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../values/refusal.ts'

/** RFC 2046 allows no longer boundary. */
const LONGEST_BOUNDARY = 70
/** Headers of one part: its name, and perhaps a content type. */
const LONGEST_HEAD = 1_024
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i
const NAME = /;\s*name="([^"]{0,200})"/i
const LINE_BREAK = Buffer.from('\r\n')
const HEAD_END = Buffer.from('\r\n\r\n')

/** A `multipart/form-data` body that was not parsed yet. */
export class MultipartBody {
  readonly bytes: Buffer
  readonly content_type: string

  constructor(bytes: Buffer, content_type: string) {
    this.bytes = bytes
    this.content_type = content_type
  }
}

/** Accepts `multipart/form-data` bodies of at most `limit` bytes. They are parsed after the caller is authenticated. */
export function takeMultipart(app: FastifyInstance, limit: number): void {
  app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer', bodyLimit: limit }, (request, body, done) => {
    done(null, new MultipartBody(Buffer.from(body), request.headers['content-type'] ?? ''))
  })
}

/**
 * Yields the text fields of a `multipart/form-data` body (RFC 7578) in their order. Each byte is searched once; the
 * caller bounds the number of fields by how many it takes. Files, and bodies that are not well formed, are refused.
 */
export function* readParts({ bytes, content_type }: MultipartBody): Generator<[string, string]> {
  const [, quoted, plain] = BOUNDARY.exec(content_type.slice(0, 256 + LONGEST_BOUNDARY)) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) throw malformed('A multipart form needs a boundary of at most 70 characters.')
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const begin = delimiter.subarray(LINE_BREAK.length)
  // The first delimiter may begin the body, without a line break in front of it.
  let at = bytes.subarray(0, begin.length).equals(begin) ? begin.length : after(bytes, delimiter, 0)
  while (!bytes.subarray(at, at + 2).equals(CLOSING)) {
    const head_at = after(bytes, LINE_BREAK, at, LONGEST_HEAD)
    const body_at = after(bytes, HEAD_END, head_at - LINE_BREAK.length, LONGEST_HEAD)
    const next = after(bytes, delimiter, body_at - LINE_BREAK.length)
    const head = bytes.toString('utf8', head_at, body_at)
    const name = NAME.exec(head)?.[1]
    if (name === undefined) throw malformed('Each part of a multipart form needs a name.')
    if (/;\s*filename\*?=/i.test(head)) throw malformed('Files cannot be sent: only text fields are read.')
    yield [name, bytes.toString('utf8', body_at, Math.max(body_at, next - delimiter.length))]
    at = next
  }
}

const CLOSING = Buffer.from('--')

/** The place behind the next occurrence; within `longest` bytes where that is given. */
function after(bytes: Buffer, mark: Buffer, from: number, longest?: number): number {
  const within = longest === undefined ? bytes : bytes.subarray(0, from + longest)
  const found = within.indexOf(mark, from)
  if (found < 0) throw malformed('The multipart form is not well formed.')
  return found + mark.length
}

function malformed(sentence: string): Refusal {
  return new Refusal('invalid_request', sentence)
}
