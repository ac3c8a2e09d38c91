import { SendBody } from '../../messaging/schema.ts'
import { sendMessage } from '../../messaging/accept/send.ts'
import type { Receipt } from '../../billing/charge.ts'
import { requestOtp } from '../../otp/request.ts'
import { RequestBody, VerifyBody } from '../../otp/schema.ts'
import { verifyOtp } from '../../otp/verification/verify.ts'
import type { RequestTrace } from '../../observe/trace/tracer.ts'
import type { Caller } from '../../organisations/store.ts'
import { parseJson } from '../../values/input/parse-json.ts'
import type { HttpDeps } from '../deps.ts'
import { answerFault } from '../errors.ts'
import { describeCall } from '../log-requests.ts'
import { HEADERS, noteAnswer, requestId } from '../observe.ts'
import { scopeFault } from '../route/authorize.ts'
import { hashOf, LONGEST_KEY, type Idempotency } from '../route/idempotency.ts'
import type { Need } from '../scopes.ts'
import { validatorOf } from '../../values/schema/check.ts'
import type { Response, Serve } from './express.ts'
import type { ExpressPath, PlainHead } from './read-request.ts'

const FIXED_HEADERS = Object.entries({ ...HEADERS, 'content-type': 'application/json; charset=utf-8' })
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('')
const REASONS: Record<number, string> = { 200: 'OK' }

type Asked = { shape_faults: []; idempotency: Idempotency | undefined }

type Operation = {
  path: ExpressPath
  scope: Need
  idempotent: boolean
  /** Carries the request out; undefined: the full route must do it. */
  begin(body: unknown): ((caller: Caller, asked: Asked) => Promise<Receipt>) | undefined
}

/** What the routes of these paths do with a valid body. */
function operationsOf(deps: HttpDeps): Record<ExpressPath, Operation> {
  const quick = { ...deps, db: deps.quick_db }
  const isSend = validatorOf<SendBody>(SendBody)
  const isOtpRequest = validatorOf<RequestBody>(RequestBody)
  const isVerification = validatorOf<VerifyBody>(VerifyBody)
  return {
    '/sms/send': {
      path: '/sms/send',
      scope: 'sms',
      idempotent: true,
      begin(body) {
        if (!isSend(body) || body.smartlist_id !== undefined) return undefined
        return (caller, asked) => sendMessage(deps, caller, body, asked)
      },
    },
    '/otp/request_token': {
      path: '/otp/request_token',
      scope: 'otp',
      idempotent: true,
      begin: (body) => (isOtpRequest(body) ? (caller, asked) => requestOtp(quick, caller, body, asked) : undefined),
    },
    '/otp/verify': {
      path: '/otp/verify',
      scope: 'otp',
      idempotent: false,
      begin(body) {
        if (!isVerification(body)) return undefined
        return async (caller, { shape_faults }) => {
          return { answer: JSON.stringify(await verifyOtp(deps, caller, body, shape_faults)), replayed: false }
        }
      },
    },
  }
}

/** Serves requests from the express path. An invalid body is left to the full route, which explains what is wrong. */
export function serveExpress(deps: HttpDeps): Serve {
  const operations = operationsOf(deps)

  return (request, text) => {
    const { idempotency_key: key } = request
    if (key !== undefined && (key.length === 0 || key.length > LONGEST_KEY)) return undefined
    if (text.includes('""')) return undefined // may count as absent
    const body = parseJson(text)
    const operation = operations[request.path]
    const run = operation.begin(body)
    return run && answer(deps, request, operation, body, run)
  }
}

async function answer(
  deps: HttpDeps,
  request: PlainHead,
  { path, scope, idempotent }: Operation,
  body: unknown,
  run: (caller: Caller, asked: Asked) => Promise<Receipt>,
): Promise<Response> {
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
    const fault = scopeFault(caller, scope)
    if (fault) throw fault
    const key = idempotent ? request.idempotency_key : undefined
    const idempotency = key === undefined ? undefined : { key, request_hash: hashOf(`POST ${path}`, body) }
    const asked: Asked = { shape_faults: [], idempotency }
    const receipt = trace ? await runWithin(deps, trace, caller, asked, run) : await run(caller, asked)
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
  if (caller) logCall(deps, caller, { request_id, path, status, ms: elapsed_ms, body, answer: text })
  noteAnswer(deps, { request_id, method: 'POST', route: path, status, elapsed_ms, organisation_id }, false, trace)
  return response(status, `x-request-id: ${request_id}\r\n${extra}`, text, deps.gate.draining)
}

type Call = { request_id: string; path: string; status: number; ms: number; body: unknown; answer: string }

function logCall({ requests }: HttpDeps, { organisation_id, key_id }: Caller, call: Call): void {
  requests?.note(organisation_id, call.status, () => describeCall({ method: 'POST', key_id, ...call }))
}

/** Separate, so that nothing is allocated when traces are off. */
function runWithin(
  deps: HttpDeps,
  trace: RequestTrace,
  caller: Caller,
  asked: Asked,
  run: (caller: Caller, asked: Asked) => Promise<Receipt>,
): Promise<Receipt> {
  const carryOut = (): Promise<Receipt> => run(caller, asked)
  return deps.tracer?.within(trace, carryOut) ?? carryOut()
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
