import { CHANNELS } from '../../carriers/message-carrier.ts'
import { reportHonesty } from '../../evidence/honesty.ts'
import { keysOf, readEvidence } from '../../evidence/read.ts'
import {
  EVIDENCE_BY,
  EVIDENCE_CLASSES,
  MAX_HOURS,
  type EvidenceRowShown,
  type HonestyRow,
} from '../../evidence/schema.ts'
import { moneyFromNumber } from '../../values/money.ts'
import { present } from '../../values/record.ts'
import { choice, form, integer, valued, type Command } from '../terminal/command.ts'
import { table, type Columns, type Result } from '../terminal/result.ts'
import { change } from './change.ts'

type Given = { hours?: string; by?: string; carrier?: string; country?: string; channel?: string; class?: string }

/** What became of messages. */
export const evidence: Command = [
  form(
    '',
    'what became of the messages of the last hours: accepted, rejected, reported and verified, by carrier',
    {
      hours: integer(1, MAX_HOURS, 'how many hours back (24)'),
      by: valued('WORDS', `grouped by some of ${EVIDENCE_BY.join(', ')} (all but hour)`),
      carrier: valued('NAME', 'only this carrier'),
      country: valued('COUNTRY', 'only numbers of this country, such as NG'),
      channel: choice(CHANNELS, 'only this channel'),
      class: choice(EVIDENCE_CLASSES, 'only one-time passwords, or only other messages'),
    },
    show,
    ['gangan evidence --by carrier,operator --hours 2', 'gangan evidence --carrier mtn --json'],
  ),
  form(
    'honesty',
    'whether the reports of carriers are true, by the one-time passwords that were verified',
    { carrier: valued('NAME', 'only this carrier') },
    showHonesty,
    ['gangan evidence honesty'],
  ),
]

async function show({ hours, ...given }: Given): Promise<Result> {
  const query = { ...given, ...present('hours', hours === undefined ? undefined : Number(hours)) }
  const report = await change((db, config) => readEvidence({ db, currency: config.settings.currency }, query))
  const named: Columns<EvidenceRowShown> = Object.fromEntries(
    keysOf(report.by).map((key) => [key, (row: EvidenceRowShown) => row[key]]),
  )
  const note = `Since ${report.since}, in ${report.currency}.${report.has_more ? ' There are more rows.' : ''}`
  return { data: report, text: table(report.rows, { ...named, ...FIGURES }), note }
}

const FIGURES: Columns<EvidenceRowShown> = {
  submitted: (row) => row.submitted,
  rejected: (row) => Object.values(row.rejected).reduce((sum, count) => sum + count, 0),
  delivered: (row) => row.delivered,
  undelivered: (row) => row.undelivered,
  'no report': (row) => row.no_report,
  'delivered share': (row) => percent(row.delivered_share),
  verified: (row) => row.verified,
  'verified share': (row) => percent(row.verified_share),
  cost: (row) => moneyFromNumber(row.cost),
  advised: (row) => row.advised,
  saved: (row) => moneyFromNumber(row.saved),
  gained: (row) => Math.round(row.gained),
}

async function showHonesty(query: { carrier?: string }): Promise<Result> {
  const report = await change((db) => reportHonesty({ db }, query))
  const more = report.has_more ? ' There are more rows.' : ''
  const note = `Since ${report.since}. Without an operator: all of them.${more}`
  return { data: report, text: table(report.rows, HONESTY), note }
}

const HONESTY: Columns<HonestyRow> = {
  carrier: (row) => row.carrier,
  country: (row) => row.country,
  operator: (row) => row.operator,
  'reported delivered': (row) => row.otps,
  verified: (row) => row.verified,
  expected: (row) => row.expected,
  factor: (row) => row.factor.toFixed(3),
  low: (row) => row.low.toFixed(3),
  high: (row) => row.high.toFixed(3),
  doubtful: (row) => (row.is_doubtful ? 'yes' : ''),
  'within 1 s': (row) => percent(row.fast_share),
  contradicted: (row) => row.contradicted,
  confirmed: (row) => row.confirmed,
}

function percent(share: number | undefined): string {
  return share === undefined ? '' : `${(100 * share).toFixed(1)} %`
}
