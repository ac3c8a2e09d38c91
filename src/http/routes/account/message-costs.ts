import type { MessageCost } from '../../../billing/schema.ts'
import type { FoundMessage } from '../../../messaging/read/schema.ts'
import { searchMessages } from '../../../messaging/read/search.ts'
import { searchPages } from '../../../messaging/read/search-pages.ts'
import { csvLine } from '../../../values/csv-write.ts'
import { present } from '../../../values/record.ts'
import type { HttpDeps } from '../../deps.ts'
import type { Times } from './ledger-filter.ts'

/** Ten-thousandths per unit: sums of floating point numbers would drift. */
const EXACT = 10_000

/** Messages with what was charged, refunded, and remains. */
export async function findCosts(
  deps: Pick<HttpDeps, 'db'>,
  organisation_id: string,
  times: Times,
  place: { before: string | undefined; limit: number },
): Promise<{ messages: MessageCost[]; next: string | undefined }> {
  const { messages, next } = await searchMessages(deps, organisation_id, times, place)
  return { messages: messages.map(costOf), next }
}

function costOf({ id, channel, external_ref, recipients, recipients_total, ...rest }: FoundMessage): MessageCost {
  const { charge, refunded = 0, created_datetime } = rest
  const net = Math.round((charge - refunded) * EXACT) / EXACT
  const about = { id, channel, ...present('external_ref', external_ref), recipients, recipients_total }
  return { ...about, charge, refunded, net, created_datetime }
}

const HEAD = ['message_id', 'created_datetime', 'channel', 'external_ref', 'recipients', 'charge', 'refunded', 'net']

/** The same as CSV, read as fast as the client does. */
export async function* exportCosts(
  deps: Pick<HttpDeps, 'db'>,
  organisation_id: string,
  times: Times,
): AsyncGenerator<string> {
  yield `\ufeff${csvLine(HEAD)}`
  for await (const messages of searchPages(deps, organisation_id, times)) {
    yield messages
      .map(costOf)
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
  }
}
