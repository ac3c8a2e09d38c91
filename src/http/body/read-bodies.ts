import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../values/refusal.ts'
import { invalidBody } from '../errors.ts'
import { measureJson } from './measure-json.ts'
import { asError } from '../../values/thrown.ts'

/** JSON only, and CSV, unread, where a route takes it. No body reads as `{}`, so that the caller learns which fields are missing. */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, parseJson(readText(body, request.headers['content-type'] ?? '')))
    } catch (fault) {
      done(asError(fault), undefined)
    }
  })
  app.addContentTypeParser('text/csv', (request, body, done) => {
    if (request.routeOptions.config.takes_csv) done(null, body)
    else done(new Refusal('unsupported_media_type', 'The body must be application/json.'))
  })
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined) request.body = {}
    done()
  })
  // Fastify ends the connection of a body that it could not take. A caller that is still sending would then learn of a
  // broken pipe instead of the answer; so the rest is read and thrown away, for as long as a request may take.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (reply.statusCode >= 400) reply.removeHeader('connection')
    done(null, payload)
  })
}

/** JSON is UTF-8. Any other bytes would be sent, and charged, as something else than what was meant. */
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
