import type { Agent, Dispatcher } from 'undici'
import { codeOf, messageOf } from '../values/thrown.ts'
import { parseJson } from '../values/input/parse-json.ts'

export type VendorCall = {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string
}

export type VendorAnswer =
  /** `json` is undefined when the body is not JSON, or too long. */
  | { kind: 'answered'; status: number; json: unknown; text: string; headers?: Readonly<Record<string, string>> }
  /** No connection was made, so the vendor cannot have seen the call. */
  | { kind: 'unreached'; description: string }
  /** The vendor may have seen it. */
  | { kind: 'lost'; description: string }

const MAX_ANSWER_BYTES = 256 * 1024
const MAX_DESCRIPTION = 200

/**
 * Sends a request and tells its end, once. What is given back breaks it off. By undici's own events: with a stream and a
 * signal for each, a call took more than twice as much processor time.
 */
export function exchange(agent: Agent, asked: VendorCall, told: (answer: VendorAnswer) => void): (why: string) => void {
  const chunks: Buffer[] = []
  let length = 0
  let head: { status: number; headers: Record<string, string> } | undefined
  let controller: Dispatcher.DispatchController | undefined
  let given_up: Error | undefined
  let ended = false

  function end(answer: VendorAnswer): void {
    if (ended) return
    ended = true
    told(answer)
  }

  function fail(fault: unknown): void {
    const kind = NOT_CONNECTED.test(codeOf(fault) ?? '') ? 'unreached' : 'lost'
    end({ kind, description: (messageOf(fault) || codeOf(fault) || '').slice(0, MAX_DESCRIPTION) })
  }

  function answered(text: string | undefined): void {
    const { status = 0, headers = {} } = head ?? {}
    const json = text === undefined ? undefined : parseJson(text)
    end({ kind: 'answered', status, json, text: text ?? '', headers })
  }

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      controller = started
      // It was given up while it connected: nothing of it has left, and nothing does.
      if (given_up) started.abort(given_up)
    },
    onResponseStart(_, status, headers) {
      if (status >= 200) head = { status, headers: plainHeaders(headers) }
    },
    onResponseData(sender, chunk) {
      length += chunk.length
      if (length <= MAX_ANSWER_BYTES) return void chunks.push(chunk)
      // More than a vendor has any reason to say.
      answered(undefined)
      sender.abort(new Error('the answer is too long'))
    },
    onResponseEnd: () => answered(Buffer.concat(chunks).toString()),
    onResponseError: (_, fault) => fail(fault),
  }
  try {
    const { origin, pathname, search } = new URL(asked.url)
    const { method, headers, body = null } = asked
    agent.dispatch({ origin, path: pathname + search, method, headers, body }, handler)
  } catch (fault) {
    fail(fault)
  }

  return (why) => {
    given_up = new Error(why)
    if (!controller) return end({ kind: 'unreached', description: why })
    fail(given_up)
    controller.abort(given_up)
  }
}

/** Faults that come before the first byte of a request can have left. */
const NOT_CONNECTED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+|ERR_TLS_CERT_\w+)$/

/** Of several of one name the first. */
function plainHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const plain: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) plain[name] = (Array.isArray(value) ? value[0] : value) ?? ''
  return plain
}
