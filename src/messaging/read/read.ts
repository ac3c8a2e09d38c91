import { urlOf } from '../../callbacks/formats/address.ts'
import type { Db } from '../../db/connect.ts'
import { isId } from '../../values/id.ts'
import { COUNT_LIMIT, paginate, readPage, type PageQuery, type Pagination } from '../../values/page.ts'
import { present } from '../../values/record.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import { checkStorable } from '../../values/input/storable.ts'
import type { Delivery, ListedMessage } from '../schema.ts'
import { readDeliveries, shown, timesOf, type DeliveriesPart, type ReadDeps } from './deliveries.ts'
import {
  countMessages,
  findFirstDelivery,
  findMessage,
  listMessages,
  summariseDeliveries,
  type DeliverySummary,
  type MessageRow,
} from './store.ts'
import { writeMessage } from './write-message.ts'

/** Limits of a message in a list: recipients, and bytes of the personalisation. A single message is returned in full. */
const LISTED_RECIPIENTS = 100
const LISTED_PERSONALISATION = 10_000
/** A longer personalisation is streamed. */
const SHORT_PERSONALISATION = 50_000

export type ReadMessage = ListedMessage & { deliveries: Delivery[] }

/** A message with all its deliveries; a long one as a stream of JSON. */
export async function readMessage(
  deps: ReadDeps,
  organisation_id: string,
  id: string,
): Promise<ReadMessage | AsyncGenerator<string>> {
  const message = await knownMessage(deps, organisation_id, id, SHORT_PERSONALISATION)
  const first = await readDeliveries(deps, organisation_id, message, -1)
  const head = listed(message, { recipients: [], send_at: null, updated_datetime: null })
  if (first.next !== undefined || message.is_long) return writeMessage(deps, organisation_id, message, head, first)
  return withDeliveries(message, first)
}

/** A message with the delivery to its first recipient, without personalisation: for APIs with one recipient. */
export async function readFirst(deps: ReadDeps, organisation_id: string, id: string): Promise<ReadMessage> {
  const message = await knownMessage(deps, organisation_id, id, 0)
  const row = await findFirstDelivery(deps.db, organisation_id, message.id)
  const rows = row ? [row] : []
  return withDeliveries(message, { rows, deliveries: rows.map(shown) })
}

async function knownMessage(
  { db }: ReadDeps,
  organisation_id: string,
  id: string,
  personalised: number,
): Promise<MessageRow> {
  const message = isId(id) ? await findMessage(db, organisation_id, id, personalised) : undefined
  if (!message) throw new Refusal('not_found', 'There is no such message.')
  return message
}

function withDeliveries(message: MessageRow, { rows, deliveries }: Pick<DeliveriesPart, 'rows' | 'deliveries'>) {
  const recipients = rows.map(({ recipient }) => recipient)
  return { ...listed(message, { recipients, ...timesOf(rows) }), deliveries }
}

export async function findMessages(
  deps: { db: Db },
  organisation_id: string,
  query: PageQuery & { external_ref?: string; ids?: readonly string[] },
): Promise<{ messages: ListedMessage[]; pagination: Pagination }> {
  const page = readPage(query)
  const { external_ref, ids } = query
  const faults: Fault[] = []
  checkStorable('external_ref', external_ref, faults)
  refuseIfFaulty(faults)
  const [found, count_total] = await Promise.all([
    listMessages(deps.db, organisation_id, LISTED_PERSONALISATION, {
      ...page,
      external_ref,
      ids,
      limit: page.limit + 1,
    }),
    countMessages(deps.db, organisation_id, { external_ref, ids }, COUNT_LIMIT),
  ])
  const { rows, pagination } = paginate(page, found, count_total)
  const summaries = await summariseDeliveries(
    deps.db,
    organisation_id,
    rows.map(({ id }) => id),
    LISTED_RECIPIENTS,
  )
  const summary_of = new Map(summaries.map((summary) => [summary.message_id, summary]))
  const messages = rows.map((row) => {
    return listed(row, summary_of.get(row.id) ?? { recipients: [], send_at: null, updated_datetime: null })
  })
  return { messages, pagination }
}

function listed(
  message: MessageRow,
  { recipients, send_at, updated_datetime }: Omit<DeliverySummary, 'message_id'>,
): ListedMessage {
  return {
    id: message.id,
    recipients,
    ...present('sender_id', message.sender_id),
    channel: message.channel,
    is_trackable: message.is_trackable,
    ...present('content', message.content),
    ...present('external_ref', message.external_ref),
    ...present('callback', message.callback === null ? null : urlOf(message.callback) || null),
    ...present('template_id', message.template_id),
    ...present('template_version', message.template_version),
    ...present('personalisation', message.personalisation),
    ...present('send_at', send_at),
    created_datetime: message.created_datetime,
    ...present('updated_datetime', updated_datetime),
  }
}
