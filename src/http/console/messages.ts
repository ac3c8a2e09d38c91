import { Type } from '../../values/schema/type.ts'
import { listAboutRecipient } from '../../callbacks/read/store.ts'
import { readCallback } from '../../callbacks/read/read.ts'
import { messagesOf, searchWithCampaigns } from '../../campaigns/messages.ts'
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../messaging/schema.ts'
import { foundMessage } from '../../messaging/read/search.ts'
import { summarise } from '../../messaging/read/search-store.ts'
import { findDeliveries, readTimeline } from '../../messaging/read/timeline.ts'
import type { Caller } from '../../organisations/store.ts'
import { mayDo } from '../../users/roles.ts'
import { viewerOf } from '../../users/viewer.ts'
import { encodeCursor } from '../../values/cursor.ts'
import { isId } from '../../values/id.ts'
import { MAX_PAGE_LIMIT, PageQuery } from '../../values/page.ts'
import { present } from '../../values/record.ts'
import { Refusal, type Fault } from '../../values/refusal.ts'
import type { HttpDeps } from '../deps.ts'
import { route, type Route } from '../route/route.ts'
import { IdParams } from '../shapes.ts'
import { exportMessages } from './messages-csv.ts'
import { readSearch, SearchQuery } from './search-query.ts'
import { FoundMessages, MessageAnswer, TimelineAnswer } from './messages/schema.ts'

const LISTED = 50
const SHOWN_RECIPIENTS = 3
const SHOWN_CALLBACKS = 20

const status = Type.Optional(Type.Unsafe<DeliveryStatus>({ type: 'string', enum: [...DELIVERY_STATUSES] }))
const recipient = Type.String({ pattern: '^[0-9]{0,15}$' })
const DeliveriesQuery = Type.Object({ ...PageQuery.properties, status, recipient: Type.Optional(recipient) })

/** Message search and timelines. */
export function messageRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/console/api/messages',
      who: 'organisation',
      area: 'sms',
      summary: 'Search messages',
      answer: FoundMessages,
      query: SearchQuery,
      adds_faults: true,
      compress: true,
      run: async ({ caller, query, shape_faults }) => {
        const { search, before } = await readCampaignSearch(deps, caller, query, shape_faults)
        const limit = Math.min(query.limit ?? LISTED, MAX_PAGE_LIMIT)
        const found = await searchWithCampaigns(deps, caller.organisation_id, search, { before, limit })
        const { messages, next, searched_until_ms } = found
        return {
          messages,
          meta: {
            next_page: next === undefined ? ('False' as const) : ('True' as const),
            ...present('query_id', next === undefined ? undefined : encodeCursor(next)),
            ...present('searched_until', searched_until_ms === undefined ? undefined : timestamp(searched_until_ms)),
          },
        }
      },
    }),

    route({
      method: 'GET',
      path: '/console/api/messages.csv',
      who: 'organisation',
      area: 'sms',
      summary: 'Download found messages as CSV',
      query: SearchQuery,
      file: 'messages.csv',
      adds_faults: true,
      run: async ({ caller, query, shape_faults }) => {
        const { search } = await readCampaignSearch(deps, caller, query, shape_faults)
        return exportMessages(deps, caller.organisation_id, search)
      },
    }),

    route({
      method: 'GET',
      path: '/console/api/messages/:id',
      who: 'organisation',
      area: 'sms',
      summary: 'Read a message with its deliveries',
      answer: MessageAnswer,
      params: IdParams,
      query: DeliveriesQuery,
      compress: true,
      run: async (request) => {
        const { params, query } = request
        const { organisation_id } = request.caller
        const message = await requireMessage(deps, organisation_id, params.id)
        const total = query.status === undefined ? message.recipients_total : (message.statuses[query.status] ?? 0)
        return {
          message,
          ...(await findDeliveries(deps, organisation_id, message.id, query, total, viewerOf(request))),
        }
      },
    }),

    route({
      method: 'GET',
      path: '/console/api/messages/:id/timeline',
      who: 'organisation',
      area: 'sms',
      summary: 'Read the timeline of a delivery',
      answer: TimelineAnswer,
      params: IdParams,
      query: Type.Object({ recipient }),
      run: async (request) => {
        const { visitor, params, query } = request
        const { organisation_id } = request.caller
        const timeline = await readTimeline(deps, organisation_id, params.id, query.recipient, viewerOf(request))
        // Callback URLs and answers may contain secrets: they need a right of their own.
        if (!mayDo(visitor.role, 'callbacks', false)) return timeline
        const callbacks = await listTold(deps, organisation_id, params.id, timeline.recipient)
        return { ...timeline, events: [...timeline.events, ...callbacks].sort(byTime) }
      },
    }),
  ]
}

async function readCampaignSearch(deps: HttpDeps, caller: Caller, query: SearchQuery, faults: Fault[]) {
  const read = readSearch(caller, query, faults)
  if (!query.campaign_id) return read
  const message_ids = await messagesOf(deps, caller.organisation_id, query.campaign_id)
  return { ...read, search: { ...read.search, message_ids } }
}

async function listTold(deps: HttpDeps, organisation_id: string, message_id: string, to: string) {
  const about = await listAboutRecipient(deps.db, organisation_id, message_id, to, SHOWN_CALLBACKS)
  const callbacks = await Promise.all(about.map(({ id }) => readCallback(deps, organisation_id, id)))
  return callbacks.map((callback) => {
    return { kind: 'callback' as const, created_datetime: callback.created_datetime, callback }
  })
}

async function requireMessage(deps: HttpDeps, organisation_id: string, id: string) {
  const [row] = isId(id) ? await summarise(deps.db, organisation_id, [id], SHOWN_RECIPIENTS) : []
  if (!row) throw new Refusal('not_found', 'There is no such message.')
  return foundMessage(row, undefined)
}

/** Timestamps sort as text; the sort is stable. */
function byTime(a: { created_datetime: string }, b: { created_datetime: string }): number {
  return a.created_datetime < b.created_datetime ? -1 : a.created_datetime > b.created_datetime ? 1 : 0
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace(/Z$/, '000+00:00')
}
