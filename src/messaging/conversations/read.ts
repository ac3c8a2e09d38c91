import type { WhatsappRules } from '../../carriers/whatsapp/rules.ts'
import { adviceFor } from '../../carriers/delivery-codes.ts'
import { shownContent } from '../../carriers/whatsapp/shown.ts'
import type { Db } from '../../db/connect.ts'
import type { FindOptedOut } from '../../optouts/find.ts'
import { findUserNames } from '../../users/assignees.ts'
import { moneyToNumber } from '../../values/money.ts'
import { readScroll, scrollTo, type Scroll } from '../../values/page.ts'
import { madeAt } from '../../values/id.ts'
import { present } from '../../values/record.ts'
import { answerTime } from '../../values/time/moment.ts'
import type { Sender } from '../draft.ts'
import { shownMediaOf } from '../inbound/read.ts'
import type { InboundRow } from '../inbound/store.ts'
import { findSentTo } from '../read/search.ts'
import { readNotes } from './notes.ts'
import { requireConversation } from './require.ts'
import { findSent, type SentRow } from './sent-store.ts'
import type { Conversation, ConversationMessage } from './schema.ts'
import { answerFrom } from './sender.ts'
import { shownState, type FindContacts } from './shown.ts'
import { listReceived, type ConversationRow } from './store.ts'

/** Time limit of the search for sent messages: there is no index by number, because every delivery would pay for it. */
const BUDGET_MS = 500
const WINDOW_MS = 86_400_000

type ThreadDeps = {
  db: Db
  findOptedOut: FindOptedOut
  sandbox: boolean
  whatsapp: Pick<WhatsappRules, 'mayName'>
  /** Undefined if the caller may not read contacts. */
  findContacts: FindContacts | undefined
}

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
  const { phone, assignee_id } = row
  const part = { before, limit: limit + 1 }
  const [received, { matches, reached }, notes, opted_out, names, contacts] = await Promise.all([
    listReceived(deps.db, organisation_id, phone, part),
    findSentTo(deps, organisation_id, phone, { ...part, budget_ms: BUDGET_MS }),
    readNotes(deps.db, organisation_id, phone, part),
    deps.findOptedOut(organisation_id, [phone]),
    findUserNames(deps.db, organisation_id, assignee_id === null ? [] : [assignee_id]),
    deps.findContacts?.([phone]),
  ])
  const ids = matches.map(({ message_id }) => message_id)
  const sent = ids.length === 0 ? [] : await findSent(deps.db, organisation_id, phone, ids)
  // Beyond the searched range, sent messages may be missing between the others.
  const others = [...received.map(shownReceived), ...notes].filter(({ id }) => reached === undefined || id >= reached)
  const all = [...others, ...sent.map(shownSent)].sort((a, b) => (a.id < b.id ? 1 : -1))
  const messages = all.slice(0, limit)
  const next = all.length > limit ? messages.at(-1)?.id : reached
  const looked = all.length > limit ? undefined : reached
  return {
    conversation: {
      ...shown(row, answerFrom(deps, sender, row), opted_out.has(phone)),
      ...shownState(row, names, contacts?.get(phone)),
    },
    messages,
    pagination: scrollTo(limit, next),
    meta: present('searched_until', looked === undefined ? undefined : answerTime(madeAt(looked))),
  }
}

function shown(row: ConversationRow, sender_id: string | undefined, opted_out: boolean) {
  const { phone, channel, to, received_datetime } = row
  const window = channel === 'whatsapp' ? answerTime(Date.parse(received_datetime) + WINDOW_MS) : undefined
  return {
    phone,
    channel,
    to,
    ...present('sender_id', sender_id),
    received_datetime,
    ...present('window_until', window),
    opted_out,
  }
}

function shownReceived(row: InboundRow): ConversationMessage {
  const { id, channel, text, whatsapp, keyword, created_datetime } = row
  const content = { ...present('whatsapp', whatsapp), ...present('keyword', keyword) }
  return {
    id,
    direction: 'in',
    channel,
    text,
    ...content,
    ...present('media', shownMediaOf(row)),
    created_datetime,
  }
}

function shownSent(row: SentRow): ConversationMessage {
  return {
    id: row.id,
    direction: 'out',
    channel: row.channel,
    ...present('text', row.text),
    ...present('whatsapp', row.whatsapp && shownContent(row.whatsapp)),
    ...present('sender_id', row.sender_id),
    status: row.status,
    ...present('code', row.code),
    ...present('description', row.description),
    ...present('advice', adviceFor(row)),
    pages: row.pages,
    charge: moneyToNumber(row.charge),
    refunded: row.refunded,
    ...present('send_at', row.send_at),
    ...present('read_datetime', row.read_datetime),
    created_datetime: row.created_datetime,
  }
}
