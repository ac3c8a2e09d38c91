import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { Caller } from '../../../organisations/store.ts'
import { Refusal } from '../../../values/refusal.ts'
import type { HttpDeps } from '../../deps.ts'
import { answerFault, isBrokenOff } from '../../errors.ts'
import { hashOf, LONGEST_KEY, type Idempotency } from '../../route/idempotency.ts'
import { scopeFault } from '../../route/authorize.ts'
import type { Need } from '../../scopes.ts'
import { field, type Form, FORM_BODY, noLogin, readBasic, readForm } from '../request.ts'
import { errorOf, TwilioFault, twilioError } from './errors.ts'

/** A request in Twilio's format: the parts all operations share. */
export type TwilioRequest = {
  caller: Caller
  account_sid: string
  params: Record<string, string>
  query: Form
  form: Form
  /** The requested path, without the query. */
  path: string
  idempotency: Idempotency | undefined
  /** To be called if the answer is a replay of an earlier one. */
  onReplay: () => void
}

export type TwilioRoute = {
  method: HTTPMethods
  path: string
  /** Undefined: any key is accepted. */
  scope?: Need
  summary: string
  /** 201 for creations, 204 for deletions. */
  status?: number
  run: (request: TwilioRequest) => Promise<object | undefined>
}

const ACCOUNT = /^AC[0-9a-zA-Z]{1,64}$/
const USER = /^(AC|SK)[0-9a-zA-Z]{1,64}$/

/**
 * Adds operations in Twilio's format as Fastify routes: credentials, bodies and errors are Twilio's; authorization and
 * charging use the functions of our own API.
 */
export function addTwilioRoutes(app: FastifyInstance, deps: HttpDeps, routes: readonly TwilioRoute[]): void {
  void app.register(async (inner) => {
    inner.setErrorHandler((fault, request, reply) => answerTwilioFault(deps, fault, request, reply))
    for (const { method, path, scope, summary, status = 200, run } of routes) {
      const schema = { hide: true, summary }
      inner.route<{ Params: Record<string, string> }>({
        method,
        url: path,
        exposeHeadRoute: false,
        config: { who: 'public', body: FORM_BODY },
        schema,
        onRequest: async (request) => {
          request.caller = await admit(deps, request, scope)
        },
        handler: async (request, reply) => {
          const onReplay = (): void => void reply.header('idempotent-replayed', 'true')
          const answer = await run({ ...readRequest(request), onReplay })
          return reply.code(status).send(answer)
        },
      })
    }
  })
}

/** The password is an API key, or the auth token of one; with a token the account SID must be the organisation's. */
async function admit(
  deps: HttpDeps,
  request: FastifyRequest<{ Params: Record<string, string> }>,
  scope: Need | undefined,
): Promise<Caller> {
  const login = readBasic(request.headers.authorization)
  if (!login || !USER.test(login.username)) throw noLogin()
  const { username, password } = login
  const asked = accountIn(request.params)
  const account = username.startsWith('AC') ? username : (asked ?? '')
  const caller = await callerOf(deps, account, password)
  if (asked !== undefined && (!ACCOUNT.test(asked) || asked !== account)) {
    throw new Refusal('not_found', `The requested resource ${pathOf(request)} was not found`)
  }
  const fault = scope === undefined ? undefined : scopeFault(caller, scope)
  if (fault) throw fault
  return caller
}

/** A custom key may look like a token, and is tried as one first. */
async function callerOf({ authenticate }: HttpDeps, account: string, password: string): Promise<Caller> {
  if (!/^[0-9a-f]{32}$/.test(password)) return authenticate(password)
  try {
    return await authenticate(`${account}:${password}`)
  } catch (fault) {
    if (fault instanceof Refusal && fault.code === 'unauthenticated') return authenticate(password)
    throw fault
  }
}

function readRequest(request: FastifyRequest<{ Params: Record<string, string> }>): Omit<TwilioRequest, 'onReplay'> {
  const { caller, params } = request
  if (!caller) throw new Error('a request without a caller has come through')
  const form = readForm(request.body)
  const login = readBasic(request.headers.authorization)
  const account_sid = accountIn(params) ?? login?.username ?? ''
  return {
    caller,
    account_sid,
    params,
    query: readForm(request.query),
    form,
    path: pathOf(request),
    idempotency: readIdempotency(request, form),
  }
}

/** The SID in the path of an account resource has the suffix .json. */
function accountIn({ AccountSid }: Record<string, string>): string | undefined {
  return AccountSid?.replace(/\.json$/, '')
}

function readIdempotency(request: FastifyRequest, form: Form): Idempotency | undefined {
  const { 'i-twilio-idempotency-token': token, 'idempotency-key': key } = request.headers
  const given = token ?? key
  if (given === undefined) return undefined
  if (typeof given !== 'string' || given.length === 0 || given.length > LONGEST_KEY) {
    throw new TwilioFault(20001, `An idempotency token has 1 to ${LONGEST_KEY} characters.`)
  }
  return { key: given, request_hash: hashOf(`${request.method} ${pathOf(request)}`, [...form]) }
}

function pathOf({ url }: FastifyRequest): string {
  return url.replace(/\?.*/s, '')
}

/** A required field. */
export function required(form: Form, name: string, code: number): string {
  const value = field(form, name)
  if (value === undefined) throw new TwilioFault(code, `The parameter '${name}' is required.`)
  return value
}

function answerTwilioFault(deps: HttpDeps, fault: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (fault instanceof TwilioFault) {
    return reply.code(fault.status).send(errorOf(fault.code, fault.message, fault.status))
  }
  const { answer, retry_after_s, ours } = answerFault(fault)
  if (ours && !isBrokenOff(fault, request)) deps.log.error({ request_id: request.id, err: fault }, 'a request failed')
  if (retry_after_s !== undefined) reply.header('retry-after', Math.ceil(retry_after_s))
  if (answer.status === 401) reply.header('www-authenticate', 'Basic realm="Gangan"')
  const error =
    fault instanceof Refusal
      ? twilioError(fault, answer.status)
      : errorOf(ours ? 20500 : 20001, answer.message, answer.status)
  return reply.code(answer.status).send(error)
}
