import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { fieldsOf, maskAnswer, maskPath, writeMasked } from '../requests/mask.ts'
import type { Call } from '../requests/recent-calls.ts'
import { FormText } from './body/form-text.ts'
import type { HttpDeps } from './deps.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What was answered, until it is noted. */
    answer_text?: string
  }
}

/** Reading the log does not fill it. */
const UNLOGGED = /^\/requests\b/
/** Who is to be erased is not written down again; handsets and identity servers tell one-time passwords in clear. */
const UNSAID = /^\/(people\b|sandbox\/messages|hooks\/:name)/

/** Notes what was called with a key, and what was answered. What people do in the console is in the audit instead. */
export function noteRequests(app: FastifyInstance, { requests }: Pick<HttpDeps, 'requests'>): void {
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
        const said = UNSAID.test(route) ? {} : { body: bodyOf(request), answer: request.answer_text }
        return describeCall({ ...head, status, ms: reply.elapsedTime, ...said })
      })
    }
    done()
  })
}

/** What is kept of a call: nothing of its headers, and of what was said no secrets. */
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
  // No body reads as an empty object.
  return typeof body === 'object' && body !== null && Object.keys(body).length === 0 ? undefined : body
}
