import type { Db } from '../../db/connect.ts'
import { csvLine } from '../../values/csv-write.ts'
import { moneyToNumber } from '../../values/money.ts'
import { knownCampaign } from '../read.ts'
import { FAILED } from '../failures.ts'
import type { ExportQuery } from './schema.ts'
import { findLeftOutAfter, findSliceAfter, findSliceDeliveries, type ExportedDelivery } from './report-store.ts'

const HEADERS = [
  'recipient',
  'text_number',
  'status',
  'code',
  'description',
  'pages',
  'charge',
  'refunded',
  'clicked',
  'message_id',
  'sent_datetime',
  'updated_datetime',
]

const LINES_PER_READ = 500

/** The recipients of a campaign as CSV, streamed slice by slice: each delivery, then who was left out and why. */
export async function exportCampaign(
  deps: { db: Db },
  { organisation_id }: { organisation_id: string },
  id: string,
  outcome: ExportQuery['outcome'],
): Promise<AsyncGenerator<string>> {
  const campaign = await knownCampaign(deps.db, organisation_id, id)
  return lines(deps.db, organisation_id, campaign.id, outcome)
}

async function* lines(
  db: Db,
  organisation_id: string,
  campaign_id: string,
  outcome: ExportQuery['outcome'],
): AsyncGenerator<string> {
  yield `\ufeff${csvLine(HEADERS)}`
  if (outcome !== 'left_out') yield* deliveryLines(db, organisation_id, campaign_id, outcome === 'failed')
  if (outcome !== 'failed') yield* leftOutLines(db, organisation_id, campaign_id)
}

async function* deliveryLines(db: Db, organisation_id: string, campaign_id: string, failed_only: boolean) {
  for (let after = 0; ;) {
    const slice = await findSliceAfter(db, organisation_id, campaign_id, after)
    if (!slice) return
    const { message_id, text_number } = slice
    for (let n = 0; n < slice.recipients.length; n += LINES_PER_READ) {
      const some = slice.recipients.slice(n, n + LINES_PER_READ).map(([recipient]) => recipient)
      const known = message_id === null ? [] : await findSliceDeliveries(db, organisation_id, message_id, some)
      const delivery_of = new Map(known.map((one) => [one.recipient, one]))
      yield some
        .filter((recipient) => !failed_only || isFailed(delivery_of.get(recipient)))
        .map((recipient) => lineOf(recipient, text_number + 1, message_id ?? '', delivery_of.get(recipient)))
        .join('')
    }
    after = slice.number
  }
}

function isFailed(found: ExportedDelivery | undefined): boolean {
  return FAILED.some((status) => status === found?.status)
}

async function* leftOutLines(db: Db, organisation_id: string, campaign_id: string) {
  for (let after = 0; ;) {
    const step = await findLeftOutAfter(db, organisation_id, campaign_id, after)
    if (!step) return
    yield step.entries
      .map(([written, reason]) => csvLine([written, '', 'left_out', reason, '', '', '', '', '', '', '', '']))
      .join('')
    after = step.step
  }
}

function lineOf(
  recipient: string,
  text_number: number,
  message_id: string,
  found: ExportedDelivery | undefined,
): string {
  if (!found) return csvLine([recipient, String(text_number), 'waiting', '', '', '', '', '', '', message_id, '', ''])
  return csvLine([
    recipient,
    String(text_number),
    found.status,
    found.code ?? '',
    found.description ?? '',
    String(found.pages),
    String(moneyToNumber(found.charge)),
    String(found.refunded),
    String(found.is_clicked),
    message_id,
    found.sent_datetime ?? '',
    found.updated_datetime ?? '',
  ])
}
