import { csvLine } from '../../values/csv-write.ts'
import type { Search } from '../../messaging/read/search.ts'
import { shownDelivery } from '../../messaging/read/timeline.ts'
import { listOfMessages } from '../../messaging/read/timeline-store.ts'
import { searchPages } from '../../messaging/read/search-pages.ts'
import type { FoundMessage, ShownDelivery } from '../../messaging/read/schema.ts'
import { CUSTOMER } from '../../users/viewer.ts'
import type { HttpDeps } from '../deps.ts'

const DELIVERIES_PER_READ = 500

const HEAD = [
  'message_id',
  'created_datetime',
  'channel',
  'sender_id',
  'external_ref',
  'recipient',
  'status',
  'code',
  'description',
  'pages',
  'charge',
  'refunded',
  'updated_datetime',
  'content',
]

/** Exports found messages as CSV, a line per delivery, read as fast as the client does. */
export async function* exportMessages(deps: HttpDeps, organisation_id: string, search: Search): AsyncGenerator<string> {
  yield `\ufeff${csvLine(HEAD)}`
  for await (const found of searchPages(deps, organisation_id, search)) {
    for (const messages of batches(found)) yield* linesOf(deps, organisation_id, search, messages)
  }
}

/** Messages of one batch are read whole; only a batch of one message may need several statements. */
async function* linesOf(
  deps: HttpDeps,
  organisation_id: string,
  { status, recipient }: Search,
  messages: readonly FoundMessage[],
): AsyncGenerator<string> {
  const by_id = new Map(messages.map((message) => [message.id, message]))
  for (let after = -1; ;) {
    const place = { after, limit: DELIVERIES_PER_READ }
    const rows = await listOfMessages(deps.db, organisation_id, [...by_id.keys()], { status, recipient }, place)
    const lines = rows.map((row) => {
      const message = by_id.get(row.message_id)
      return message && isSought(message, row.recipient) ? csvLine(line(message, shownDelivery(row, CUSTOMER))) : ''
    })
    yield lines.join('')
    const last = rows.at(-1)
    if (messages.length > 1 || rows.length < DELIVERIES_PER_READ || !last) return
    after = last.position
  }
}

/** For a search by number, only the deliveries to it. */
function isSought({ match }: FoundMessage, recipient: string): boolean {
  return match === undefined || match.recipient === recipient
}

/** Batches with some hundred deliveries each, so that memory is bounded. */
function batches(messages: readonly FoundMessage[]): FoundMessage[][] {
  const made: FoundMessage[][] = []
  let deliveries = Infinity
  for (const message of messages) {
    if (deliveries + message.recipients_total > DELIVERIES_PER_READ) {
      made.push([])
      deliveries = 0
    }
    made.at(-1)?.push(message)
    deliveries += message.recipients_total
  }
  return made
}

function line(message: FoundMessage, delivery: ShownDelivery): string[] {
  return [
    message.id,
    message.created_datetime,
    message.channel,
    message.sender_id ?? '',
    message.external_ref ?? '',
    delivery.recipient,
    delivery.status,
    delivery.code ?? '',
    delivery.description ?? '',
    String(delivery.pages),
    String(delivery.charge),
    String(delivery.refunded),
    delivery.updated_datetime ?? '',
    delivery.text ?? message.content ?? '',
  ]
}
