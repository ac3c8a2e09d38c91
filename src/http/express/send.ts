import { SendBody } from '../../messaging/schema.ts'
import { sendMessage } from '../../messaging/accept/send.ts'
import type { Receipt } from '../../billing/charge.ts'
import type { RequestTrace } from '../../observe/trace/tracer.ts'
import type { Caller } from '../../organisations/store.ts'
import { parseJson } from '../../values/input/parse-json.ts'
import type { HttpDeps } from '../deps.ts'
import { answerFault } from '../errors.ts'
import { describeCall } from '../log-requests.ts'
import { HEADERS, noteAnswer, requestId } from '../observe.ts'
import { scopeFault } from '../route/authorize.ts'
import { hashOf, LONGEST_KEY } from '../route/idempotency.ts'
import { validatorOf } from '../../values/schema/check.ts'
import type { Response, Serve } from './express.ts'
import type { PlainHead } from './read-request.ts'

const ROUTE = '/sms/send'
const FIXED_HEADERS = Object.entries({ ...HEADERS, 'content-type': 'application/json; charset=utf-8' })
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('')
const REASONS: Record<number, string> = { 200: 'OK' }

/** Sends a message from the express path. An invalid body is left to the full route, which explains what is wrong. */
export function serveSend(deps: HttpDeps): Serve {
  const isSendBody = validatorOf<SendBody>(SendBody)

  return (request, text) => {
    const { idempotency_key: key } = request
    if (key !== undefined && (key.length === 0 || key.length > LONGEST_KEY)) return undefined
    if (text.includes('""')) return undefined // may count as absent
    const body = parseJson(text)
    if (!isSendBody(body) || body.smartlist_id !== undefined) return undefined
    return answer(deps, request, body)
  }
}

async function answer(deps: HttpDeps, request: PlainHead, body: SendBody): Promise<Response> {
  const started = performance.now()
  const request_id = requestId(request.request_id)
  const trace = deps.tracer?.beginRequest(request.traceparent)
  let caller: Caller | undefined
  let status = 200
  let text: string
  let extra = ''
  try {
    if (deps.gate.closed) throw deps.gate.closed
    const found = deps.authenticate(request.authorization)
    caller = found instanceof Promise ? await found : found
    const fault = scopeFault(caller, 'sms')
    if (fault) throw fault
    const { idempotency_key: key } = request
    const idempotency = key === undefined ? undefined : { key, request_hash: hashOf(`POST ${ROUTE}`, body) }
    const asked = { shape_faults: [], idempotency }
    const receipt = trace
      ? await sendWithin(deps, trace, caller, body, asked)
      : await sendMessage(deps, caller, body, asked)
    if (receipt.replayed) extra = 'idempotent-replayed: true\r\n'
    text = receipt.answer
  } catch (fault) {
    const { answer: refusal, retry_after_s, ours } = answerFault(fault)
    if (ours) deps.log.error({ request_id, err: fault }, 'a request failed')
    if (retry_after_s !== undefined) extra = `retry-after: ${Math.ceil(retry_after_s)}\r\n`
    status = refusal.status
    text = JSON.stringify(refusal)
  }
  const elapsed_ms = performance.now() - started
  const organisation_id = caller?.organisation_id
  if (caller) logCall(deps, caller, { request_id, status, ms: elapsed_ms, body, answer: text })
  noteAnswer(deps, { request_id, method: 'POST', route: ROUTE, status, elapsed_ms, organisation_id }, false, trace)
  return response(status, `x-request-id: ${request_id}\r\n${extra}`, text, deps.gate.draining)
}

type Call = { request_id: string; status: number; ms: number; body: SendBody; answer: string }

function logCall({ requests }: HttpDeps, { organisation_id, key_id }: Caller, call: Call): void {
  requests?.note(organisation_id, call.status, () => describeCall({ method: 'POST', path: ROUTE, key_id, ...call }))
}

/** Separate, so that nothing is allocated when traces are off. */
function sendWithin(
  deps: HttpDeps,
  trace: RequestTrace,
  caller: Caller,
  body: SendBody,
  asked: Parameters<typeof sendMessage>[3],
): Promise<Receipt> {
  const send = (): Promise<Receipt> => sendMessage(deps, caller, body, asked)
  return deps.tracer?.within(trace, send) ?? send()
}

function response(status: number, headers: string, body: string, last: boolean): Response {
  const length = Buffer.byteLength(body)
  const text =
    `HTTP/1.1 ${status} ${REASONS[status] ?? 'Refused'}\r\n${headers}${FIXED_HEADERS}` +
    `content-length: ${length}\r\ndate: ${httpDate()}\r\nconnection: ${last ? 'close' : 'keep-alive'}\r\n\r\n${body}`
  return { text, encoding: length === body.length ? 'latin1' : 'utf8', last } // ASCII
}

let date = ''
let date_second = 0

/** The HTTP date, formatted once per second. */
function httpDate(): string {
  const second = Math.floor(Date.now() / 1_000)
  if (second !== date_second) {
    date_second = second
    date = new Date(1_000 * second).toUTCString()
  }
  return date
}
