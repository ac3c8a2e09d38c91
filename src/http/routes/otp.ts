import { Type, SAID_REQUIRED, UNSAID } from '../../values/schema/type.ts'
import { findOtps, readOtp, revokeOtp } from '../../otp/read.ts'
import { requestOtp } from '../../otp/request.ts'
import { MAX_RECORDS, OtpRecord, RequestBody, VerifyBody } from '../../otp/schema.ts'
import { verifyOtp } from '../../otp/verification/verify.ts'
import type { HttpDeps } from '../deps.ts'
import { route, type Route } from '../route/route.ts'
import { IdParams } from '../shapes.ts'
import { isRecord } from '../../values/record.ts'

const tag = 'One-time passwords'

export function otpRoutes(deps: HttpDeps): Route[] {
  const quick = { ...deps, db: deps.quick_db }
  return [
    route({
      method: 'POST',
      path: '/otp/request_token',
      operation: 'otp.request',
      scope: 'otp',
      summary: 'Send a token',
      description:
        'Sends a one-time password to a phone number and charges the price of a message on that channel, and the fees for OTPs that the operator may have agreed with you: the one for the verification is refunded if the OTP ends unverified. No answer contains the token; the message is not sent after the token has expired. In live mode a number gets at most five in ten minutes and twenty in a day, and prefixes whose tokens are never verified are slowed, then blocked: 429 with `Retry-After` and the reason.',
      tag,
      body: RequestBody,
      answer: OtpRecord,
      errors: [400, 402, 409, 413, 415, 429],
      idempotent: true,
      adds_faults: true,
      receipt: true,
      run: ({ caller, body, shape_faults, idempotency }) =>
        requestOtp(quick, caller, body, { shape_faults, idempotency }),
    }),

    route({
      method: 'POST',
      path: '/otp/verify',
      operation: 'otp.verify',
      scope: 'otp',
      summary: 'Verify a token',
      description:
        'The correct token returns the record with status 4, once. Everything else is a 404 whose `errors[0].type` gives the reason: `invalid`, `expired`, `used`, `revoked`, `max_attempts`, or `not_found` for the id. Five wrong attempts end the OTP. In live mode twenty wrong attempts in a day, over all OTPs of a number, are `max_attempts` too.',
      tag,
      body: VerifyBody,
      answer: OtpRecord,
      errors: [400, 404, 413, 415],
      adds_faults: true,
      run: ({ caller, body, shape_faults }) => verifyOtp(deps, caller, body, shape_faults),
    }),

    route({
      method: 'GET',
      path: '/otp/:id',
      operation: 'otp.get',
      scope: 'otp',
      summary: 'Read an OTP',
      description: 'The current status: an OTP past its time is EXPIRED. The token is never returned.',
      tag,
      params: IdParams,
      answer: OtpRecord,
      errors: [404],
      run: ({ caller, params }) => readOtp(deps, caller.organisation_id, params.id),
    }),

    route({
      method: 'DELETE',
      path: '/otp/:id',
      operation: 'otp.revoke',
      scope: 'otp',
      summary: 'Revoke an OTP',
      description:
        'It can no longer be verified. A verified OTP stays verified, and the answer is 409. An expired, failed or revoked OTP stays as it is, and the answer is 204.',
      tag,
      params: IdParams,
      errors: [404, 409],
      run: ({ caller, params }) => revokeOtp(deps, caller.organisation_id, params.id),
    }),

    // The number may be in the query, path or JSON body; one of two paths is documented.
    route({
      method: 'GET',
      path: '/otp/get-by-recipient',
      operation: 'otp.list',
      also_at: ['/otp/get_by_recipient'],
      scope: 'otp',
      summary: 'List the OTPs of a recipient',
      description:
        'Newest first, at most 1,000. The number is read from the query, the path (`/otp/get-by-recipient/2348031234567`) or a JSON body, and may also be named `phone` or `to`; `get_by_recipient` is an alias of the path.',
      tag,
      query: RecipientQuery,
      answer: OtpRecords,
      errors: [400, 413, 415],
      adds_faults: true, // of the effective number
      compress: true,
      no_head: true,
      run: (request) => findOtps(deps, request.caller, given(request)),
    }),

    route({
      method: 'GET',
      path: '/otp/get-by-recipient/:recipient',
      operation: 'otp.listByPath',
      another_way: true,
      also_at: ['/otp/get_by_recipient/:recipient'],
      scope: 'otp',
      summary: 'List the OTPs of a recipient by path',
      description: 'As `GET /otp/get-by-recipient`, with the number as the last part of the path.',
      tag,
      params: RecipientParams,
      answer: OtpRecords,
      errors: [400, 413, 415],
      adds_faults: true, // of the one number that counts
      compress: true,
      no_head: true,
      run: (request) => findOtps(deps, request.caller, given(request)),
    }),
  ]
}

const OtpRecords = Type.Array(OtpRecord, { maxItems: MAX_RECORDS })
const RecipientParams = Type.Object({
  recipient: Type.String({ description: 'The phone number.', examples: ['2348031234567'] }),
})

const RecipientQuery = Type.Object({
  recipient: Type.Optional(
    Type.String({ description: 'The phone number.', examples: ['2348031234567'], [SAID_REQUIRED]: true }),
  ),
  phone: Type.Optional(Type.String({ [UNSAID]: true })),
  to: Type.Optional(Type.String({ [UNSAID]: true })),
})

/** The number and the parameter it was given in; path before query before body. */
function given({ params, query, body }: { params: unknown; query: unknown; body: unknown }): {
  field: string
  value: unknown
} {
  for (const source of [params, query, body]) {
    for (const field of ['recipient', 'phone', 'to']) {
      const value = isRecord(source) ? source[field] : undefined
      if (value !== undefined) return { field, value }
    }
  }
  return { field: 'recipient', value: undefined }
}
