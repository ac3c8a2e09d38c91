import type { Db } from '../../db/connect.ts'
import type { FindOptedOut } from '../../optouts/find.ts'
import { moneyToNumber } from '../../values/money.ts'
import { readPage, readScroll, scrollTo, type PageQuery, type Pagination, type Scroll } from '../../values/page.ts'
import { madeAt } from '../../values/id.ts'
import { cleanDigits, dialPlan } from '../../values/phone/phone.ts'
import { present } from '../../values/record.ts'
import { Refusal } from '../../values/refusal.ts'
import { answerTime } from '../../values/time/moment.ts'
import type { Sender } from '../draft.ts'
import type { InboundRow } from '../inbound/store.ts'
import { findSentTo } from '../read/search.ts'
import { findSent, type SentRow } from './sent-store.ts'
import type { Conversation, ConversationMessage, ListedConversation } from './schema.ts'
import { answerFrom } from './sender.ts'
import { findConversation, listConversations, listReceived, readTexts, type ConversationRow } from './store.ts'

/** Time limit of the search for sent messages: there is no index by number, because every delivery would pay for it. */
const BUDGET_MS = 500
const WINDOW_MS = 86_400_000

export async function findConversations(
  { db }: { db: Db },
  organisation_id: string,
  query: PageQuery,
): Promise<{ conversations: ListedConversation[]; pagination: Pagination }> {
  const { rows, pagination } = await listConversations(db, organisation_id, readPage(query))
  const idsOf = (wanted: string) => rows.filter(({ direction }) => direction === wanted).map(({ id }) => id)
  const texts =
    rows.length === 0 ? [] : await readTexts(db, organisation_id, { received: idsOf('in'), sent: idsOf('out') })
  const by_id = new Map(texts.map((text) => [text.id, text]))
  const conversations = rows.map((row) => {
    const { id, phone, direction, channel } = row
    const { text, created_datetime = answerTime(madeAt(id)) } = by_id.get(id) ?? {}
    return { id, phone, direction, channel, ...present('text', text), ...countsOf(row), created_datetime }
  })
  return { conversations, pagination }
}

type ThreadDeps = { db: Db; findOptedOut: FindOptedOut; sandbox: boolean }

/**
 * One page of the messages between a person and an organisation, newest first. The conversation is read before its texts,
 * so that its counted texts are among them.
 */
export async function readThread(
  deps: ThreadDeps,
  sender: Sender,
  given: string,
  { query_id, limit }: { query_id: string | undefined; limit: number },
): Promise<{
  conversation: Conversation
  messages: ConversationMessage[]
  pagination: Scroll
  meta: { searched_until?: string }
}> {
  const { organisation_id } = sender
  const before = readScroll(query_id)
  const row = await requireConversation(deps.db, sender, given)
  const [received, { matches, reached }, opted_out] = await Promise.all([
    listReceived(deps.db, organisation_id, row.phone, { before, limit: limit + 1 }),
    findSentTo(deps, organisation_id, row.phone, { before, limit: limit + 1, budget_ms: BUDGET_MS }),
    deps.findOptedOut(organisation_id, [row.phone]),
  ])
  const ids = matches.map(({ message_id }) => message_id)
  const sent = ids.length === 0 ? [] : await findSent(deps.db, organisation_id, row.phone, ids)
  // Beyond the searched range, sent messages may be missing between the received ones.
  const texts = reached === undefined ? received : received.filter(({ id }) => id >= reached)
  const all = [...texts.map(shownReceived), ...sent.map(shownSent)].sort((a, b) => (a.id < b.id ? 1 : -1))
  const messages = all.slice(0, limit)
  const next = all.length > limit ? messages.at(-1)?.id : reached
  const looked = all.length > limit ? undefined : reached
  return {
    conversation: shown(row, answerFrom(deps, sender, row), opted_out.has(row.phone)),
    messages,
    pagination: scrollTo(limit, next),
    meta: present('searched_until', looked === undefined ? undefined : answerTime(madeAt(looked))),
  }
}

/** Finds a conversation by a number in any spelling; a number that has never written has none. */
export async function requireConversation(
  db: Db,
  { organisation_id, default_country }: Pick<Sender, 'organisation_id' | 'default_country'>,
  given: string,
): Promise<ConversationRow> {
  const phone = cleanDigits(given, dialPlan(default_country))
  const row = phone === undefined ? undefined : await findConversation(db, organisation_id, phone)
  if (!row) throw new Refusal('not_found', 'This number has not written to you.')
  return row
}

function countsOf({ received, read }: ConversationRow): { received: number; unread: number } {
  return { received: Number(received), unread: Number(received - read) }
}

function shown(row: ConversationRow, sender_id: string | undefined, opted_out: boolean): Conversation {
  const { phone, channel, to, received_datetime } = row
  const window = channel === 'whatsapp' ? answerTime(Date.parse(received_datetime) + WINDOW_MS) : undefined
  return {
    phone,
    channel,
    to,
    ...present('sender_id', sender_id),
    ...countsOf(row),
    received_datetime,
    ...present('window_until', window),
    opted_out,
  }
}

function shownReceived({ id, channel, text, keyword, created_datetime }: InboundRow): ConversationMessage {
  return { id, direction: 'in', channel, text, ...present('keyword', keyword), created_datetime }
}

function shownSent(row: SentRow): ConversationMessage {
  return {
    id: row.id,
    direction: 'out',
    channel: row.channel,
    ...present('text', row.text),
    ...present('sender_id', row.sender_id),
    status: row.status,
    ...present('code', row.code),
    ...present('description', row.description),
    pages: row.pages,
    charge: moneyToNumber(row.charge),
    refunded: row.refunded,
    ...present('send_at', row.send_at),
    created_datetime: row.created_datetime,
  }
}
