import type { MessageCost } from '../../../billing/schema.ts'
import { searchMessages } from '../../../messaging/read/search.ts'
import { csvLine } from '../../../values/csv-write.ts'
import { present } from '../../../values/present.ts'
import type { HttpDeps } from '../../deps.ts'
import type { Times } from './ledger-filter.ts'

const MESSAGES_PER_READ = 500
/** Of a ten-thousandth: sums of numbers would drift. */
const EXACT = 10_000

/** Messages with what was charged, given back, and is left. */
export async function findCosts(
  deps: Pick<HttpDeps, 'db'>,
  organisation_id: string,
  times: Times,
  place: { before: string | undefined; limit: number },
): Promise<{ messages: MessageCost[]; next: string | undefined }> {
  const found = await searchMessages(deps, organisation_id, times, place)
  const messages = found.messages.map(({ id, channel, external_ref, recipients, recipients_total, ...rest }) => {
    const { charge, refunded = 0, created_datetime } = rest
    const net = Math.round((charge - refunded) * EXACT) / EXACT
    const about = { id, channel, ...present('external_ref', external_ref), recipients, recipients_total }
    return { ...about, charge, refunded, net, created_datetime }
  })
  return { messages, next: found.next }
}

const HEAD = ['message_id', 'created_datetime', 'channel', 'external_ref', 'recipients', 'charge', 'refunded', 'net']

/** The same as CSV, read as fast as it is taken. */
export async function* exportCosts(
  deps: Pick<HttpDeps, 'db'>,
  organisation_id: string,
  times: Times,
): AsyncGenerator<string> {
  yield `\ufeff${csvLine(HEAD)}`
  let before: string | undefined
  do {
    const { messages, next } = await findCosts(deps, organisation_id, times, { before, limit: MESSAGES_PER_READ })
    yield messages
      .map((one) =>
        csvLine([
          one.id,
          one.created_datetime,
          one.channel,
          one.external_ref ?? '',
          String(one.recipients_total),
          String(one.charge),
          String(one.refunded),
          String(one.net),
        ]),
      )
      .join('')
    before = next
  } while (before !== undefined)
}
