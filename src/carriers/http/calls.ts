import type { HttpAnswer, HttpClient, HttpRequest } from '../../values/http/client.ts'
import type { OutgoingMessage } from '../message-carrier.ts'
import { makeAuthorize } from './auth.ts'
import type { Vendor } from './vendor.ts'

/** The vendor's last answer to a submission, and the inconclusive ones to earlier attempts of it. */
export type Answers = { answer: HttpAnswer; before: readonly HttpAnswer[] }

/** Authorized calls to a vendor. */
export type Calls = {
  send(messages: readonly OutgoingMessage[], isStopping: () => boolean): Promise<Answers>
  /** For requests that may be repeated. */
  call(request: HttpRequest): Promise<HttpAnswer>
}

/** Attempts of one submission, at a vendor that is idempotent. */
const MAX_ATTEMPTS = 3

export function makeCalls(
  http: HttpClient,
  { auth, preset, writeSend }: Pick<Vendor, 'auth' | 'preset' | 'writeSend'>,
): Calls {
  const authorize = makeAuthorize(http, auth)

  /** A token that expired early is fetched again, once: a request refused because of it was not carried out. */
  async function call(request: HttpRequest): Promise<HttpAnswer> {
    for (let tries = 1; ; tries += 1) {
      const signed = await authorize.sign(request)
      if ('fault' in signed) return { kind: 'unreached', description: signed.fault }
      const answer = await http.call(signed)
      const is_refused = answer.kind === 'answered' && answer.status === 401
      if (!is_refused || tries > 1 || !authorize.forget()) return answer
    }
  }

  return {
    call,
    async send(messages, isStopping) {
      const request = withTrace(messages, writeSend(messages))
      let answer = await call(request)
      const before: HttpAnswer[] = []
      for (let tries = 1; preset.send.idempotent && tries < MAX_ATTEMPTS; tries += 1) {
        if (!isInconclusive(answer) || isStopping()) break
        const next = await call(request)
        // A vendor that cannot be reached now may still have received the earlier attempt.
        if (next.kind === 'unreached') continue
        before.push(answer)
        answer = next
      }
      return { answer, before }
    },
  }
}

/** A request with several messages can only carry the trace of one. */
function withTrace([first]: readonly OutgoingMessage[], request: HttpRequest): HttpRequest {
  if (first?.traceparent === undefined) return request
  return { ...request, headers: { ...request.headers, traceparent: first.traceparent } }
}

function isInconclusive(answer: HttpAnswer): boolean {
  return answer.kind === 'lost' || (answer.kind === 'answered' && answer.status >= 500 && answer.status !== 503)
}
