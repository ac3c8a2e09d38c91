import { measureJson } from '../../values/input/measure-json.ts'
import { hasTooManyFields, MAX_FORM_FIELDS } from '../../values/input/read-form.ts'
import { Refusal } from '../../values/refusal.ts'
import { asError } from '../../values/thrown.ts'
import { invalidBody } from '../errors.ts'
import { FormText, readMultipart } from './forms.ts'
import type { BodyForm, BodyPolicy } from './policy.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'

const PARSERS: readonly [type: string, form: BodyForm, parse: (body: Buffer, type: string) => unknown][] = [
  ['application/json', 'json', (body, type) => parseJson(readText(body, type))],
  ['application/x-www-form-urlencoded', 'form', (body) => readForm(body.toString('utf8'))],
  ['multipart/form-data', 'multipart', readMultipart],
]

/**
 * Parses bodies by the route's policy, after checking their size. No body reads as `{}`, so that the caller learns
 * which fields are missing.
 */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  for (const [type, form, parse] of PARSERS) {
    app.addContentTypeParser<Buffer>(type, { parseAs: 'buffer' }, (request, body, done) => {
      try {
        const { takes } = policyOf(request)
        if (takes.includes(form)) done(null, parse(body, request.headers['content-type'] ?? ''))
        else done(null, takes.includes('bytes') ? body : undefined)
      } catch (fault) {
        done(asError(fault), undefined)
      }
    })
  }
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (request, body, done) => {
    done(null, policyOf(request).takes.includes('bytes') ? body : undefined)
  })
  app.addContentTypeParser('text/csv', async (request: FastifyRequest, body: Readable) => {
    const { takes, bytes, csv_bytes } = policyOf(request)
    // Node discards the rest of an unread stream after the response.
    if (takes.includes('csv')) return Readable.from(upTo(body, csv_bytes ?? 0))
    return takes.length === 0 ? undefined : wholeFile(upTo(body, bytes))
  })
  app.addContentTypeParser(FILE, async (request: FastifyRequest, body: Readable) => {
    const { takes, bytes } = policyOf(request)
    if (takes.includes('file')) return body
    return takes.includes('bytes') ? wholeFile(upTo(body, bytes)) : undefined
  })
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (isTaken(request)) done(null, payload)
    else done(policyOf(request).takes.includes('file') ? NO_FILE : NOT_TAKEN, payload)
  })
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined) request.body = {}
    done()
  })
  // Fastify closes the connection of a rejected body. A caller still sending would see a broken pipe instead of the
  // answer, so the rest is read and discarded within the request timeout.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (reply.statusCode >= 400) reply.removeHeader('connection')
    done(null, payload)
  })
}

/** Types of files; of one that is unknown `application/octet-stream`. */
const FILE = /^(?:image|audio|video)\/|^application\/(?:octet-stream|pdf|msword|vnd\.)|^text\/plain/
const NO_FILE = new Refusal(
  'unsupported_media_type',
  'The body must be the file, and Content-Type its type; if that is not known, application/octet-stream.',
)
const NOT_TAKEN = new Refusal('unsupported_media_type', 'The body must be application/json.')

function policyOf({ routeOptions }: FastifyRequest): BodyPolicy {
  const { body } = routeOptions.config
  if (!body) throw new Error('a route without a policy for its body has started')
  return body
}

/** Decided by the headers alone: a rejected body is not read. */
function isTaken(request: FastifyRequest): boolean {
  const type = request.headers['content-type']
  const { takes } = policyOf(request)
  if (takes.includes('file')) return type !== undefined && FILE.test(type.toLowerCase())
  if (type === undefined ? !hasBody(request) : type === 'application/json') return true
  if (takes.length === 0 || takes.includes('bytes')) return true
  const media_type = MEDIA_TYPE.exec(type ?? '')?.[0].toLowerCase()
  if (media_type === 'text/csv') return takes.includes('csv')
  const form = PARSERS.find(([known]) => known === media_type)?.[1]
  return form !== undefined && takes.includes(form)
}

const MEDIA_TYPE = /^[^\s;,]{1,100}/

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** JSON must be UTF-8. Other bytes would decode to another text, which would be sent and charged. */
function readText(body: Buffer, type: string): string {
  const charset = CHARSET.exec(type)?.[1] ?? 'utf-8'
  if (!/^utf-?8$/i.test(charset)) {
    throw new Refusal('unsupported_media_type', 'The body must be application/json in UTF-8.')
  }
  if (!isUtf8(body)) throw invalidBody('The body is not valid UTF-8.')
  return body.toString('utf8')
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i

function parseJson(text: string): unknown {
  if (text === '') return {}
  const fault = measureJson(text)
  if (fault) throw new Refusal('invalid_request', 'The request is invalid.', [fault])
  try {
    return JSON.parse(text)
  } catch {
    throw invalidBody('The body is not valid JSON.')
  }
}

/** The handler decodes the fields: nothing is decoded for an unauthenticated caller. */
function readForm(text: string): FormText | undefined {
  if (hasTooManyFields(text)) {
    throw new Refusal('invalid_request', `A form has at most ${MAX_FORM_FIELDS} fields.`)
  }
  return text === '' ? undefined : new FormText(text)
}

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

/**
 * Reads a body that is refused as soon as it is known to be unfit. The stream is not destroyed, because its socket has to
 * carry the answer; what is left of it has to be discarded by `resume()`.
 */
export function undestroyed(stream: Readable): AsyncIterable<Buffer> {
  return stream.iterator({ destroyOnReturn: false })
}

export async function wholeFile(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const part of parts) all.push(part)
  return Buffer.concat(all)
}
