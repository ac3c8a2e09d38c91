import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openHook, type OpenedHook } from '../../../hooks/hooks.ts'
import { readPayload, type HookMessage } from '../../../hooks/read-payload.ts'
import { isTrusted, postIdOf } from '../../../hooks/signed.ts'
import { sendMessage } from '../../../messaging/accept/send.ts'
import { suspended } from '../../../organisations/authenticate.ts'
import { findCallerOf, type Caller } from '../../../organisations/store.ts'
import { requestOtp } from '../../../otp/request.ts'
import { noteVerified } from '../../../otp/verification/feedback.ts'
import { measureJson } from '../../../values/input/measure-json.ts'
import { readForm } from '../../../values/input/read-form.ts'
import { isRecord } from '../../../values/record.ts'
import { Refusal } from '../../../values/refusal.ts'
import type { BodyPolicy } from '../../body/policy.ts'
import type { HttpDeps } from '../../deps.ts'
import { answerFault, invalidBody, isBrokenOff } from '../../errors.ts'
import type { Idempotency } from '../../route/idempotency.ts'
import { readBasic } from '../request.ts'

const BODY: BodyPolicy = { takes: ['bytes'], bytes: 64 * 1024 }
/** Validity of a one-time password generated elsewhere, in minutes. */
const MINUTES = 10

const send_schema = { hide: true, summary: 'Hooks: send a message' }
const verified_schema = { hide: true, summary: 'Hooks: a token was verified' }

type Asked = FastifyRequest<{ Params: { name: string }; Body: unknown }>

/**
 * Endpoints that identity servers and others post messages to. Fastify routes rather than operations: callers have no
 * API key; they sign the raw body or send the hook's secret, depending on its kind.
 */
export function hookPostRoutes(app: FastifyInstance, deps: HttpDeps): void {
  void app.register(async (inner) => {
    inner.setErrorHandler((fault, request, reply) => answerHookFault(deps, fault, request, reply))
    const options = { config: { who: 'public' as const, body: BODY } }
    inner.post<{ Params: { name: string } }>('/hooks/:name', { ...options, schema: send_schema }, async (request) => {
      const { hook, caller, payload, post_id } = await admit(deps, request)
      const is_supabase = hook.kind === 'supabase'
      // Supabase gives each attempt another id; attempts have the same body, and no two codes do.
      const idempotency = idempotencyOf(request, is_supabase ? textOf(request.body) : post_id)
      const sending = send(deps, caller, readPayload(hook.kind, payload), idempotency)
      if (!is_supabase) return sending
      return sending.then(
        () => ({}),
        (fault: unknown) => supabaseError(deps, fault, request),
      )
    })
    inner.post<{ Params: { name: string } }>(
      '/hooks/:name/verified',
      { ...options, schema: verified_schema },
      async (request) => {
        const { caller, payload, post_id } = await admit(deps, request)
        const to = isRecord(payload) ? String(payload.to) : ''
        await noteVerified(deps, caller, to, idempotencyOf(request, post_id, 'verified '))
        return {}
      },
    )
  })
}

type AdmittedPost = { hook: OpenedHook; caller: Caller; payload: unknown; post_id: string | undefined }

async function admit(deps: HttpDeps, request: Asked): Promise<AdmittedPost> {
  const hook = await openHook({ db: deps.quick_db, secret_seal: deps.secret_seal }, request.params.name)
  if (!hook) throw new Refusal('not_found', 'There is no such hook.')
  const body = textOf(request.body)
  const shown = {
    headers: request.headers,
    basic_password: readBasic(request.headers.authorization)?.password,
    body,
    now_s: Date.now() / 1_000,
  }
  if (!isTrusted(hook.kind, hook.secret, shown)) {
    throw new Refusal('unauthenticated', 'The request is not signed with the secret of the hook, or does not show it.')
  }
  const caller = await findCallerOf(deps.quick_db, hook.organisation_id)
  if (!caller) throw new Refusal('not_found', 'There is no such hook.')
  if (caller.suspended) throw suspended()
  request.caller = caller
  return { hook, caller, payload: parse(request, body), post_id: postIdOf(hook.kind, hook.secret, shown) }
}

function textOf(body: unknown): string {
  return Buffer.isBuffer(body) ? body.toString('utf8') : ''
}

function parse({ headers }: FastifyRequest, body: string): unknown {
  if (/^application\/x-www-form-urlencoded/i.test(headers['content-type'] ?? '')) {
    const fields = readForm(body)
    if (!fields) throw invalidBody('The form has too many fields.')
    return Object.fromEntries(fields)
  }
  const fault = measureJson(body)
  if (fault) throw new Refusal('invalid_request', 'The request is invalid.', [fault])
  try {
    return JSON.parse(body)
  } catch {
    throw invalidBody('The body is not valid JSON.')
  }
}

/** The caller generates and verifies the code; priority, limits, guard and price are those of our own. */
async function send(
  deps: HttpDeps,
  caller: Caller,
  message: HookMessage | undefined,
  idempotency: Idempotency | undefined,
): Promise<{ id: string; date: string }> {
  if (!message) throw invalidBody('The body does not name one phone number, or has neither a code nor a text.')
  const { to, code, text, plain, from } = message
  const asked = { shape_faults: [], idempotency }
  if (plain) {
    const body = { recipients: [to], content: text ?? '', ...(from === undefined ? {} : { sender_id: from }) }
    return sentOf((await sendMessage(deps, { ...caller, sends_from_numbers: true }, body, asked)).answer)
  }
  const quick = { ...deps, db: deps.quick_db }
  const body = { recipient: to, expires_in: MINUTES, ...(code === undefined ? {} : { token: code }) }
  return sentOf((await requestOtp(quick, caller, body, { ...asked, text })).answer)
}

function sentOf(answer: string): { id: string; date: string } {
  const sent: unknown = JSON.parse(answer)
  if (!isRecord(sent)) throw new Error('the answer to a send is none')
  return { id: String(sent.id), date: String(sent.created_datetime) }
}

/** A repeated post is sent once. The ids of each hook are separate. */
function idempotencyOf({ params, body }: Asked, post_id = '', kind = ''): Idempotency | undefined {
  if (post_id === '') return undefined
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return { key: `hook ${kind}${hash(`${params.name} ${post_id}`).toString('hex')}`, request_hash: hash(textOf(body)) }
}

/**
 * Supabase shows users the message of an `error` in a 200 answer, with the status `http_code`. For any other status it
 * only reports that the hook failed; after 429 or 503 it first repeats the post twice, without a pause.
 */
function supabaseError(deps: HttpDeps, fault: unknown, request: FastifyRequest) {
  const { answer, ours } = answerFault(fault)
  if (ours) deps.log.error({ request_id: request.id, err: fault }, 'a request failed')
  const [first] = answer.errors ?? []
  return { error: { http_code: answer.status, message: first?.message ?? answer.message } }
}

function answerHookFault(deps: HttpDeps, fault: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { answer, retry_after_s, ours } = answerFault(fault)
  if (ours && !isBrokenOff(fault, request)) deps.log.error({ request_id: request.id, err: fault }, 'a request failed')
  if (retry_after_s !== undefined) reply.header('retry-after', Math.ceil(retry_after_s))
  return reply.code(answer.status).send(answer)
}
