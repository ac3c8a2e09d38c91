import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { listAboutRecipient } from '../../callbacks/read/about-store.ts'
import { readCallback } from '../../callbacks/read/read.ts'
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../messaging/schema.ts'
import { searchMessages } from '../../messaging/read/search.ts'
import { summarise } from '../../messaging/read/search-store.ts'
import { findDeliveries, readTimeline } from '../../messaging/read/timeline.ts'
import { isId } from '../../values/id.ts'
import { moneyToNumber } from '../../values/money.ts'
import { MAX_PAGE_LIMIT, PageQuery } from '../../values/page.ts'
import { present } from '../../values/present.ts'
import { Refusal } from '../../values/refusal.ts'
import type { HttpDeps } from '../deps.ts'
import { callerOf } from '../route/add-routes.ts'
import { faultsOf, refuseMisshapen } from '../route/faults.ts'
import { requestMeta } from '../route/meta.ts'
import { consoleRoute } from './console-route.ts'
import { exportMessages } from './messages-csv.ts'
import type { ConsoleAnswers } from './schema.ts'
import { readSearch, SearchQuery } from './search-query.ts'

const LISTED = 50
const SHOWN_RECIPIENTS = 3
const SHOWN_CALLBACKS = 20

const status = Type.Optional(Type.Unsafe<DeliveryStatus>({ type: 'string', enum: [...DELIVERY_STATUSES] }))
const recipient = Type.String({ pattern: '^[0-9]{0,15}$' })
const DeliveriesQuery = Type.Object({ ...PageQuery.properties, status, recipient: Type.Optional(recipient) })
type DeliveriesQuery = PageQuery & { status?: DeliveryStatus; recipient?: string }

type Id = { id: string }

/** Finding messages, and what happened to each. */
export function messageRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.get<{ Querystring: SearchQuery }>(
    '/console/api/messages',
    consoleRoute(deps, { for: 'organisation', querystring: SearchQuery, compress: true }),
    async (request): Promise<ConsoleAnswers['GET /console/api/messages']> => {
      const { search, before } = readSearch(callerOf(request), request.query, faultsOf(request))
      const limit = Math.min(request.query.limit ?? LISTED, MAX_PAGE_LIMIT)
      const found = await searchMessages(deps, callerOf(request).organisation_id, search, { before, limit })
      const { messages, next, searched_until_ms } = found
      return {
        messages,
        meta: {
          ...requestMeta(request),
          next_page: next === undefined ? 'False' : 'True',
          ...present('query_id', next === undefined ? undefined : Buffer.from(next).toString('base64url')),
          ...present('searched_until', searched_until_ms === undefined ? undefined : timestamp(searched_until_ms)),
        },
      }
    },
  )

  app.get<{ Querystring: SearchQuery }>(
    '/console/api/messages.csv',
    consoleRoute(deps, { for: 'organisation', querystring: SearchQuery }),
    async (request, reply) => {
      const { search } = readSearch(callerOf(request), request.query, faultsOf(request))
      const lines = exportMessages(deps, callerOf(request).organisation_id, search)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="messages.csv"')
        .send(Readable.from(lines, { objectMode: false }))
    },
  )

  app.get<{ Params: Id; Querystring: DeliveriesQuery }>(
    '/console/api/messages/:id',
    consoleRoute(deps, { for: 'organisation', querystring: DeliveriesQuery, compress: true }),
    async (request): Promise<ConsoleAnswers['GET /console/api/messages/{id}']> => {
      refuseMisshapen(request)
      const { organisation_id } = callerOf(request)
      const message = await requireMessage(deps, request)
      const { status } = request.query
      const total = status === undefined ? message.recipients_total : (message.statuses[status] ?? 0)
      const found = await findDeliveries(deps, organisation_id, message.id, request.query, total)
      const { deliveries, pagination } = found
      return { message, deliveries, meta: { ...requestMeta(request), pagination } }
    },
  )

  app.get<{ Params: Id; Querystring: { recipient: string } }>(
    '/console/api/messages/:id/timeline',
    consoleRoute(deps, { for: 'organisation', querystring: Type.Object({ recipient }) }),
    async (request): Promise<ConsoleAnswers['GET /console/api/messages/{id}/timeline']> => {
      refuseMisshapen(request)
      const { organisation_id } = callerOf(request)
      const { id } = request.params
      const timeline = await readTimeline(deps, organisation_id, id, request.query.recipient)
      const about = await listAboutRecipient(deps.db, organisation_id, id, timeline.recipient, SHOWN_CALLBACKS)
      const callbacks = await Promise.all(about.map((one) => readCallback(deps, organisation_id, one.id)))
      const told = callbacks.map((callback) => {
        return { kind: 'callback' as const, created_datetime: callback.created_datetime, callback }
      })
      const events = [...timeline.events, ...told].sort(byTime)
      return { ...timeline, events, meta: requestMeta(request) }
    },
  )
}

async function requireMessage(deps: HttpDeps, request: FastifyRequest<{ Params: Id }>) {
  const { id } = request.params
  const { organisation_id } = callerOf(request)
  const [row] = isId(id) ? await summarise(deps.db, organisation_id, [id], SHOWN_RECIPIENTS) : []
  if (!row) throw new Refusal('not_found', 'There is no such message.')
  const { charge, sender_id, content, template_id, external_ref, ...rest } = row
  return {
    ...rest,
    ...present('sender_id', sender_id),
    ...present('content', content),
    ...present('template_id', template_id),
    ...present('external_ref', external_ref),
    charge: moneyToNumber(charge),
  }
}

/** Our timestamps sort as text; what happened together stays in its order. */
function byTime(a: { created_datetime: string }, b: { created_datetime: string }): number {
  return a.created_datetime < b.created_datetime ? -1 : a.created_datetime > b.created_datetime ? 1 : 0
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace(/Z$/, '000+00:00')
}
