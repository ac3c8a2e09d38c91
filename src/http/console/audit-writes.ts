import type { FastifyInstance, FastifyRequest, onSendHookHandler, preHandlerHookHandler } from 'fastify'
import { recordAudit } from '../../users/audit.ts'
import type { HttpDeps } from '../deps.ts'
import { callerOf, isRead } from '../route/authorize.ts'
import { actorOf } from '../route/visitor.ts'
import { isRecord } from '../../values/record.ts'
import { messageOf } from '../../values/thrown.ts'

/** Not changes: lookups, even if charged, and marking a conversation as read. */
const NO_CHANGE = /^\/lookup\/|^\/conversations\/:phone\/read$/
/** Fields whose value is not stored: secrets, and messages between people. */
const PRIVATE = /token|secret|password|code|content|text|template$|personalisation|columns|values|numbers|^phone$/
/** Templates are not private: the audit log shows their text. */
const TEMPLATES = /^\/templates\b/
const FIELD_NAME = /^\w{1,60}$/
const LONGEST_VALUE = 120
const LONGEST_TEMPLATE = 1_000
const MOST_FIELDS = 30
const LONGEST_ANSWER = 100_000

type Summary = Record<string, unknown>

/** The list that contains a resource without a GET of its own. */
const LISTS: Record<string, { list: (param: string) => string; plural: string; key: string }> = {
  '/lists/contact/columns/:column_id': { list: () => '/lists/contact/columns', plural: 'columns', key: 'id' },
  '/hooks/:name': { list: () => '/hooks', plural: 'hooks', key: 'name' },
  '/otp/guard/:prefix': { list: () => '/otp/guard?limit=1000', plural: 'prefixes', key: 'prefix' },
  '/optouts/:id': { list: (number) => `/optouts?limit=1&recipient=${number}`, plural: 'optouts', key: 'recipient' },
}

/**
 * Records in the audit log what users change through the public API, before they receive the answer. The state before
 * the change is read with a GET of the same path, or its list. Requests with a key are skipped.
 */
export function auditWrites(app: FastifyInstance, deps: HttpDeps): void {
  const befores = new WeakMap<FastifyRequest, Summary>()

  const look: preHandlerHookHandler = (request, _reply, done) => {
    if (!request.visitor || request.method === 'POST') return done()
    const goOn = (before: Summary | undefined): void => {
      if (before) befores.set(request, before)
      done()
    }
    readBefore(app, request).then(goOn, done)
  }

  const note: onSendHookHandler = (request, reply, payload, done) => {
    if (!request.visitor || reply.statusCode >= 300) return done(null, payload)
    const after = summaryOf(request.body, request.url)
    const goOn = (): void => done(null, payload)
    recordAudit(deps.db, actorOf(request), {
      organisation_id: callerOf(request).organisation_id,
      action: `${request.method} ${request.routeOptions.url}`,
      subject: subjectOf(request, payload),
      before: befores.get(request),
      after: Object.keys(after).length > 0 ? after : undefined,
    })
      .catch((err: unknown) =>
        deps.log.error({ request_id: request.id, reason: messageOf(err) }, 'an audit entry was lost'),
      )
      .then(goOn, done)
  }

  app.addHook('onRoute', (route) => {
    const methods = [route.method].flat()
    const writes = methods.some((method) => !isRead(method, route.url)) && !NO_CHANGE.test(route.url)
    if (route.config?.scope === undefined || !writes) return
    route.preHandler = [route.preHandler ?? []].flat().concat(look)
    route.onSend = [route.onSend ?? []].flat().concat(note)
  })
}

async function readBefore(app: FastifyInstance, request: FastifyRequest): Promise<Summary | undefined> {
  const { cookie, 'x-organisation-id': organisation_id } = request.headers
  const listed = LISTS[request.routeOptions.url ?? '']
  const param = paramOf(request) ?? ''
  const found = await app.inject({
    method: 'GET',
    url: listed ? listed.list(encodeURIComponent(param)) : request.url,
    headers: { cookie, ...(organisation_id === undefined ? {} : { 'x-organisation-id': organisation_id }) },
  })
  if (found.statusCode !== 200) return undefined
  const answer = parse(found.body)
  const before = summaryOf(listed ? entryIn(answer, listed, param) : unwrapped(answer), request.url)
  delete before.meta
  if (Object.keys(before).length === 0) return undefined
  if (request.method === 'DELETE') return before
  const asked = Object.keys(request.body ?? {})
  return Object.fromEntries(Object.entries(before).filter(([name]) => asked.includes(name)))
}

/** A contact is answered as `{ row }`. */
function unwrapped(answer: unknown): unknown {
  return isRecord(answer) && isRecord(answer.row) ? answer.row : answer
}

function entryIn(answer: unknown, { plural, key }: { plural: string; key: string }, param: string): unknown {
  const list: unknown = isRecord(answer) ? answer[plural] : undefined
  return Array.isArray(list) ? list.find((entry: unknown) => isRecord(entry) && entry[key] === param) : undefined
}

function paramOf(request: FastifyRequest): string | undefined {
  const [param]: unknown[] = isRecord(request.params) ? Object.values(request.params) : []
  return typeof param === 'string' ? param.slice(0, LONGEST_VALUE) : undefined
}

function subjectOf(request: FastifyRequest, payload: unknown): string | undefined {
  const param = paramOf(request)
  if (param !== undefined) return param
  const answer = typeof payload === 'string' && payload.length < LONGEST_ANSWER ? parse(payload) : undefined
  const id = isRecord(answer) ? answer.id : undefined
  return typeof id === 'string' ? id : undefined
}

/** Top-level fields: short values as they are, others by their size. */
function summaryOf(value: unknown, url: string): Summary {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  const fields = Object.entries(value)
    .filter(([name]) => FIELD_NAME.test(name))
    .slice(0, MOST_FIELDS)
  return Object.fromEntries(fields.map(([name, field]) => [name, summarise(name, field, TEMPLATES.test(url))]))
}

function summarise(name: string, field: unknown, of_template: boolean): unknown {
  if (of_template && name === 'content') return shortened(field, LONGEST_TEMPLATE)
  return PRIVATE.test(name) ? '…' : shortened(field, LONGEST_VALUE)
}

function shortened(value: unknown, longest: number): unknown {
  if (Array.isArray(value)) return `${value.length} entries`
  if (typeof value === 'object' && value !== null) return `${Object.keys(value).length} fields`
  if (typeof value !== 'string' || value.length <= longest) return value
  return `${value.slice(0, longest)}…`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
