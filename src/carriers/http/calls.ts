import type { OutgoingMessage } from '../message-carrier.ts'
import type { HttpAnswer, HttpRequest, HttpClient } from '../../values/http/client.ts'
import { makeAuthorize } from './auth.ts'
import type { Vendor } from './vendor.ts'

export type Called = HttpAnswer

/** What a vendor said when it was told to send, and before that, where it was told again, without saying anything. */
export type Answers = { answer: Called; before: readonly Called[] }

/** Calls to a vendor, each with who we are. */
export type Calls = {
  send(messages: readonly OutgoingMessage[], isStopping: () => boolean): Promise<Answers>
  /** Anything that may be asked twice. */
  ask(call: HttpRequest): Promise<Called>
}

/** How often a vendor that carries a message once, however often it is told to, is told again. */
const TELLINGS = 3

export function makeCalls(
  http: HttpClient,
  { auth, preset, writeSend }: Pick<Vendor, 'auth' | 'preset' | 'writeSend'>,
): Calls {
  const authorize = makeAuthorize(http, auth)

  /** A token that has ended early is fetched anew, once: what was refused for it was not taken. */
  async function ask(call: HttpRequest): Promise<Called> {
    for (let tries = 1; ; tries += 1) {
      const signed = await authorize.sign(call)
      if ('fault' in signed) return { kind: 'unreached', description: signed.fault }
      const answer = await http.call(signed)
      const is_refused = answer.kind === 'answered' && answer.status === 401
      if (!is_refused || tries > 1 || auth?.kind !== 'oauth' || !authorize.forget()) return answer
    }
  }

  return {
    ask,
    async send(messages, isStopping) {
      const call = inTrace(messages, writeSend(messages))
      let answer = await ask(call)
      const before: Called[] = []
      for (let told = 1; preset.send.idempotent && told < TELLINGS && isOpen(answer) && !isStopping(); told += 1) {
        const next = await ask(call)
        // What was lost once is not certain to have stayed here because nobody listens now.
        if (next.kind === 'unreached') continue
        before.push(answer)
        answer = next
      }
      return { answer, before }
    },
  }
}

/** Several messages in one request: it can only name the trace of one. */
function inTrace([first]: readonly OutgoingMessage[], call: HttpRequest): HttpRequest {
  if (first?.traceparent === undefined) return call
  return { ...call, headers: { ...call.headers, traceparent: first.traceparent } }
}

function isOpen(answer: Called): boolean {
  return answer.kind === 'lost' || (answer.kind === 'answered' && answer.status >= 500 && answer.status !== 503)
}
