import type { Receipt } from '../../billing/charge.ts'
import { isRecord } from '../../values/record.ts'
import type { MediaContent } from '../../media/read.ts'
import type { FileReads } from './file-reads.ts'
import type { Route } from './route.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'

/** Turns the result of `run` into a response. */
type Answerer = (request: FastifyRequest, reply: FastifyReply, given: unknown) => unknown

/* oxlint-disable typescript/no-unsafe-type-assertion -- `route` has held what `run` gives to its type; a list of routes forgets it */

/** How a route answers; decided once per route. */
export function answererOf({ receipt, file, download, answer }: Route, readFile: FileReads): Answerer {
  if (receipt) return (_request, reply, given) => sendReceipt(reply, given as Receipt)
  if (file !== undefined) {
    return (request, reply, given) =>
      sendFile(reply, file, readFile(organisationOf(request), given as AsyncGenerator<string>))
  }
  if (download) {
    return (request, reply, given) => {
      const { parts, ...content } = given as MediaContent
      return sendContent(reply, content, readFile(organisationOf(request), parts))
    }
  }
  const has_meta = hasMeta(answer)
  return (request, reply, given) => {
    if (isInParts(given)) {
      return sendParts(reply, readFile(organisationOf(request), has_meta ? metaFirst(request, given) : given))
    }
    if (has_meta) return withMeta(request, given as object)
    if (given !== undefined || reply.sent) return given // an event stream has already written its response
    return reply.code(204).send()
  }
}

/* oxlint-enable typescript/no-unsafe-type-assertion */

function organisationOf({ caller }: FastifyRequest): string {
  return caller?.organisation_id ?? ''
}

function hasMeta(answer: Route['answer']): boolean {
  return answer !== undefined && 'properties' in answer && isRecord(answer.properties) && 'meta' in answer.properties
}

/** A response that is already JSON text. */
function sendReceipt(reply: FastifyReply, { answer, replayed }: Receipt): FastifyReply {
  if (replayed) reply.header('idempotent-replayed', 'true')
  return reply.header('content-type', 'application/json; charset=utf-8').send(answer)
}

function isInParts(given: unknown): given is AsyncGenerator<string> {
  return isRecord(given) && Symbol.asyncIterator in given
}

/** Inserts `meta` at the start of an object streamed as text. */
async function* metaFirst(request: FastifyRequest, parts: AsyncGenerator<string>): AsyncGenerator<string> {
  let rest_from = '{'.length
  yield `${JSON.stringify(withMeta(request, {})).slice(0, -1)},`
  for await (const part of parts) {
    yield part.slice(rest_from)
    rest_from = 0
  }
}

/** Reads as fast as the client does: a slow client holds neither a database connection nor a permit. */
function sendParts(reply: FastifyReply, parts: AsyncIterable<string>): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(Readable.from(parts, { objectMode: false }))
}

function sendFile(reply: FastifyReply, name: string, lines: AsyncIterable<string>): FastifyReply {
  return reply
    .type(name.endsWith('.json') ? 'application/json; charset=utf-8' : 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(Readable.from(lines, { objectMode: false }))
}

/** Types that a browser displays inline without executing any of their content. */
const SHOWN_INLINE = new Set(['image/jpeg', 'image/png', 'image/webp'])

/**
 * A file of unknown origin: the browser neither guesses another type nor lets it run. Its pieces are read as fast as the
 * client reads them.
 */
function sendContent(
  reply: FastifyReply,
  { type, filename, size }: Omit<MediaContent, 'parts'>,
  parts: AsyncIterable<Buffer>,
): FastifyReply {
  const shown = SHOWN_INLINE.has(type) ? 'inline' : 'attachment'
  const plain = filename.replaceAll(/[^\w .()-]/g, '_')
  const encoded = encodeURIComponent(filename).replaceAll(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)
  return reply
    .type(type)
    .headers({
      'content-length': size,
      'content-disposition': `${shown}; filename="${plain}"; filename*=UTF-8''${encoded}`,
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      // The content of an id never changes.
      'cache-control': 'private, max-age=3600, immutable',
    })
    .send(Readable.from(parts, { objectMode: false }))
}

/** Adds `meta` to an answer: the request, and what the module says about its answer. */
export function withMeta(request: FastifyRequest, given: { meta?: object; pagination?: object }): object {
  const { meta, pagination, ...answer } = given
  const own_meta = Object.assign(requestMeta(request), meta)
  return Object.assign(answer, { meta: pagination === undefined ? own_meta : Object.assign(own_meta, { pagination }) })
}

/** The path as documented, with single slashes. */
export function requestMeta(request: FastifyRequest): { method: string; resource: string } {
  const path = request.url.replace(/\?.*/s, '').replace(/\/{2,}/g, '/')
  return { method: request.method, resource: path.endsWith('/') ? path.slice(0, -1) : path }
}
