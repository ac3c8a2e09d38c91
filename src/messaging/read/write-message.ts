import { present } from '../../values/record.ts'
import type { ListedMessage } from '../schema.ts'
import { readDeliveries, timesOf, together, type DeliveriesPart, type ReadDeps } from './deliveries.ts'
import { findPersonalisation, type MessageRow } from './store.ts'

/** Entries of a personalisation per statement. */
const ENTRIES_PER_PART = 1_000

/** Streams a message with all its deliveries as JSON. No connection is held between two parts. Totals come last. */
export async function* writeMessage(
  deps: ReadDeps,
  organisation_id: string,
  message: MessageRow,
  { recipients: _none, ...head }: ListedMessage,
  first: DeliveriesPart,
): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"deliveries":[${joined(first.deliveries)}`
  const recipients = first.rows.map(({ recipient }) => recipient)
  let times = timesOf(first.rows)
  for (let { next } = first; next !== undefined;) {
    const part = await readDeliveries(deps, organisation_id, message, next)
    if (part.rows.length > 0) yield `,${joined(part.deliveries)}`
    for (const { recipient } of part.rows) recipients.push(recipient)
    if (part.rows.length > 0) times = together(times, timesOf(part.rows))
    next = part.next
  }
  yield `],"recipients":${JSON.stringify(recipients)}`
  if (message.is_long) yield* writePersonalisation(deps, organisation_id, message.id)
  const rest = { ...present('send_at', times.send_at), ...present('updated_datetime', times.updated_datetime) }
  yield Object.entries(rest)
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .concat('}')
    .join('')
}

async function* writePersonalisation({ db }: ReadDeps, organisation_id: string, id: string): AsyncGenerator<string> {
  yield ',"personalisation":['
  for (let skip = 0; ; skip += ENTRIES_PER_PART) {
    const entries = await findPersonalisation(db, organisation_id, id, { skip, limit: ENTRIES_PER_PART })
    if (entries === null) break
    yield skip === 0 ? entries : `,${entries}`
  }
  yield ']'
}

function joined(entries: readonly object[]): string {
  return JSON.stringify(entries).slice(1, -1)
}
