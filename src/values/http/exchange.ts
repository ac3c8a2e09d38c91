import type { Agent, Dispatcher } from 'undici'
import { Readable } from 'node:stream'
import { parseJson } from '../input/parse-json.ts'
import { codeOf, messageOf } from '../thrown.ts'

export type HttpRequest = {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  headers: Record<string, string>
  /** A stream needs a `content-length`. */
  body?: string | AsyncIterable<Buffer>
}

export type HttpAnswer =
  /** `json` is undefined if the body is not JSON. A body above the size limit is dropped, and `is_too_long` set. */
  | {
      kind: 'answered'
      status: number
      json: unknown
      text: string
      headers?: Readonly<Record<string, string>>
      is_too_long?: boolean
    }
  | HttpFailure

export type HttpFailure =
  /** No connection was made, so the server cannot have received the request. */
  | { kind: 'unreached'; description: string }
  /** The server may have received the request. */
  | { kind: 'lost'; description: string }

const MAX_DESCRIPTION = 200

/**
 * Sends a request, calls `onEnd` exactly once, and returns a function that aborts it. Uses undici's dispatch events: a
 * stream and an AbortSignal per call took more than twice the processor time.
 */
export function startExchange(
  agent: Agent,
  request: HttpRequest,
  max_answer_bytes: number,
  onEnd: (answer: HttpAnswer) => void,
): (reason: string) => void {
  const chunks: Buffer[] = []
  let length = 0
  let head: { status: number; headers: Record<string, string> } | undefined
  let controller: Dispatcher.DispatchController | undefined
  let aborted: Error | undefined
  let ended = false

  function end(answer: HttpAnswer): void {
    if (ended) return
    ended = true
    onEnd(answer)
  }

  function fail(fault: unknown): void {
    end(describeFailure(fault))
  }

  function answered(text: string | undefined): void {
    const { status = 0, headers = {} } = head ?? {}
    if (text === undefined)
      return end({ kind: 'answered', status, json: undefined, text: '', headers, is_too_long: true })
    end({ kind: 'answered', status, json: parseJson(text), text, headers })
  }

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      controller = started
      // Aborted while connecting: nothing has been sent, and nothing will be.
      if (aborted) started.abort(aborted)
    },
    onResponseStart(_, status, headers) {
      if (status >= 200) head = { status, headers: firstValues(headers) }
    },
    onResponseData(sender, chunk) {
      length += chunk.length
      if (length <= max_answer_bytes) return void chunks.push(chunk)
      answered(undefined)
      sender.abort(new Error('the answer is too long'))
    },
    onResponseEnd: () => answered(Buffer.concat(chunks).toString()),
    onResponseError: (_, fault) => fail(fault),
  }
  try {
    const { origin, pathname, search } = new URL(request.url)
    const { method, headers, body = null } = request
    const sent = body === null || typeof body === 'string' ? body : Readable.from(body, { objectMode: false })
    agent.dispatch({ origin, path: pathname + search, method, headers, body: sent }, handler)
  } catch (fault) {
    fail(fault)
  }
  return (reason) => {
    aborted = new Error(reason)
    if (!controller) return end({ kind: 'unreached', description: reason })
    fail(aborted)
    controller.abort(aborted)
  }
}

export function describeFailure(fault: unknown): HttpFailure {
  const kind = NOT_CONNECTED.test(codeOf(fault) ?? '') ? 'unreached' : 'lost'
  return { kind, description: (messageOf(fault) || codeOf(fault) || '').slice(0, MAX_DESCRIPTION) }
}

/** Errors that occur before the first byte of a request can have been sent. */
const NOT_CONNECTED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+|ERR_TLS_CERT_\w+)$/

/** The first value of each header. */
function firstValues(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const first: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) first[name] = (Array.isArray(value) ? value[0] : value) ?? ''
  return first
}
