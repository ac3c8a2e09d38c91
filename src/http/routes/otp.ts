import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { findOtps, readOtp, revokeOtp } from '../../otp/read.ts'
import { requestOtp } from '../../otp/request.ts'
import { MAX_RECORDS, OtpRecord, RequestBody, VerifyBody } from '../../otp/schema.ts'
import { verifyOtp } from '../../otp/verify.ts'
import type { HttpDeps } from '../deps.ts'
import { callerOf, faultsOf, idempotencyOf, keyRoute, sendText } from '../route.ts'
import { IdempotencyHeader, IdParams } from '../shapes.ts'

const tag = 'One-time passwords'

export function otpRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const quick = { ...deps, db: deps.quick_db }

  app.post<{ Body: Partial<RequestBody> }>(
    '/otp/request_token',
    keyRoute(deps, {
      summary: 'Send a token',
      description:
        'Sends a one-time password to a phone number and charges what a message on that channel costs. The token is in no answer; the message is not handed over any more once the token has expired. In live mode a number gets at most five in ten minutes and twenty in a day, and numbers whose tokens are never verified are slowed, then blocked: 429 with `Retry-After` and the reason.',
      tag,
      body: RequestBody,
      headers: IdempotencyHeader,
      answer: OtpRecord,
      errors: [400, 402, 409, 413, 415, 429],
    }),
    async (request, reply) => {
      const receipt = await requestOtp(quick, callerOf(request), request.body, {
        shape_faults: faultsOf(request),
        idempotency: idempotencyOf(request),
      })
      return sendText(reply, receipt)
    },
  )

  app.post<{ Body: Partial<VerifyBody> }>(
    '/otp/verify',
    keyRoute(deps, {
      summary: 'Verify a token',
      description:
        'The right token gives the record with status 4, once. Everything else is a 404 whose `errors[0].type` says why: `invalid`, `expired`, `used`, `revoked`, `max_attempts`, or `not_found` for the id. Five wrong tries end the OTP. In live mode twenty wrong tries in a day, over all OTPs of a number, are `max_attempts` too.',
      tag,
      body: VerifyBody,
      answer: OtpRecord,
      errors: [400, 404, 413, 415],
    }),
    (request) => verifyOtp(quick, callerOf(request), request.body, faultsOf(request)),
  )

  app.get<{ Params: IdParams }>(
    '/otp/:id',
    keyRoute(deps, { summary: 'Read an OTP', tag, params: IdParams, answer: OtpRecord, errors: [404] }),
    (request) => readOtp(deps, callerOf(request).organisation_id, request.params.id),
  )

  app.delete<{ Params: IdParams }>(
    '/otp/:id',
    keyRoute(deps, {
      summary: 'Revoke an OTP',
      description:
        'Nothing can be verified with it afterwards. One that was verified stays so, and the answer is 409. One that has expired, failed or been revoked already stays as it is, too, and the answer is 204: it is of no use any more.',
      tag,
      params: IdParams,
      empty: true,
      errors: [404, 409],
    }),
    async (request, reply) => {
      await revokeOtp(deps, callerOf(request).organisation_id, request.params.id)
      return reply.code(204).send()
    },
  )

  byRecipientRoutes(app, deps)
}

const RecipientQuery = Type.Object({
  recipient: Type.Optional(Type.String({ description: 'The phone number.', examples: ['2348031234567'] })),
  phone: Type.Optional(Type.String({ description: 'Another name for `recipient`.' })),
  to: Type.Optional(Type.String({ description: 'Another name for `recipient`.' })),
})

/** The number may come as query, path or JSON body, and the path in two spellings; only one of them is described. */
function byRecipientRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const options = keyRoute(deps, {
    summary: 'List the OTPs of a recipient',
    description:
      'Newest first, at most 1,000. The number is taken from the query, from the path (`/otp/get-by-recipient/2348031234567`) or from a JSON body with one of these names; `get_by_recipient` is the same path.',
    tag,
    querystring: RecipientQuery,
    answer: Type.Array(OtpRecord, { maxItems: MAX_RECORDS }),
    errors: [400, 413, 415],
    compress: true,
  })
  const handler = (request: FastifyRequest, _reply: FastifyReply) => findOtps(deps, callerOf(request), given(request))
  app.get('/otp/get-by-recipient', { ...options, exposeHeadRoute: false }, handler)
  const hidden = { ...options, exposeHeadRoute: false, schema: { hide: true } }
  app.get('/otp/get_by_recipient', hidden, handler)
  app.get('/otp/get-by-recipient/:recipient', hidden, handler)
  app.get('/otp/get_by_recipient/:recipient', hidden, handler)
}

/** The number with the name it was given under; the path before the query before the body. */
function given({ params, query, body }: FastifyRequest): { field: string; value: unknown } {
  for (const source of [params, query, body]) {
    for (const field of ['recipient', 'phone', 'to']) {
      const value = (source as Record<string, unknown> | null)?.[field]
      if (value !== undefined) return { field, value }
    }
  }
  return { field: 'recipient', value: undefined }
}
