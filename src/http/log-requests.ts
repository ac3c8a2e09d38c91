import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { fieldsOf, maskAnswer, maskPath, writeMasked } from '../requests/mask.ts'
import type { Call } from '../requests/sampler.ts'
import { FormText } from './body/forms.ts'
import type { HttpDeps } from './deps.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The response text, until it is logged. */
    answer_text?: string
  }
}

/** Reading the request log is not logged. */
const UNLOGGED = /^\/requests\b/
/** Routes whose bodies are not logged: numbers to be erased, and one-time passwords in clear text. */
const UNLOGGED_BODIES = /^\/(people\b|sandbox\/messages|hooks\/:name)/

/** Logs requests with an API key. The audit log has those of console users. */
export function logRequests(app: FastifyInstance, { requests }: Pick<HttpDeps, 'requests'>): void {
  if (!requests) return
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (typeof payload === 'string') request.answer_text = payload
    done(null, payload)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { caller, visitor } = request
    const route = request.routeOptions.url ?? ''
    if (caller && !visitor && !UNLOGGED.test(route)) {
      const { statusCode: status } = reply
      requests.note(caller.organisation_id, status, () => {
        const head = { request_id: request.id, method: request.method, path: request.url, key_id: caller.key_id }
        const bodies = UNLOGGED_BODIES.test(route) ? {} : { body: bodyOf(request), answer: request.answer_text }
        return describeCall({ ...head, status, ms: reply.elapsedTime, ...bodies })
      })
    }
    done()
  })
}

/** The log entry of a request: no headers, and bodies with secrets masked. */
export function describeCall(call: {
  request_id: string
  method: string
  path: string
  status: number
  ms: number
  key_id: string | null
  body?: unknown
  answer?: string | undefined
}): Call {
  const { body, answer } = call
  return {
    request_id: call.request_id,
    method: call.method,
    path: maskPath(call.path),
    status: call.status,
    ms: Math.round(call.ms * 10) / 10,
    key_id: call.key_id,
    body: body === undefined ? undefined : writeMasked(body),
    answer: answer === undefined || answer === '' ? undefined : maskAnswer(answer),
    answered_ms: Date.now(),
  }
}

function bodyOf({ body }: FastifyRequest): unknown {
  if (body instanceof Readable) return undefined
  if (body instanceof FormText) return fieldsOf(body.text)
  // An absent body reads as `{}`.
  return typeof body === 'object' && body !== null && Object.keys(body).length === 0 ? undefined : body
}
