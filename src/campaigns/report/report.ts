import type { Db } from '../../db/connect.ts'
import { groupBy } from '../../values/group.ts'
import { moneyToNumber } from '../../values/money.ts'
import { present } from '../../values/record.ts'
import { knownCampaign } from '../read.ts'
import { FAILED, failureWords } from '../failures.ts'
import { listOutcomes, type OutcomeRow } from './report-store.ts'
import type { CampaignReport } from './schema.ts'

const FAILURES = new Set<string>([...FAILED, 'unknown'])

/** The report of a campaign, from its counters. */
export async function readReport(
  deps: { db: Db },
  { organisation_id }: { organisation_id: string },
  id: string,
): Promise<CampaignReport> {
  const campaign = await knownCampaign(deps.db, organisation_id, id)
  const all = await listOutcomes(deps.db, organisation_id, campaign.id)
  const answers = all.filter(({ outcome }) => outcome.startsWith('answer_'))
  const rows = all.filter(({ outcome }) => !outcome.startsWith('answer_'))
  const answered = (what: string): number => sum(answers.filter(({ outcome }) => outcome === `answer_${what}`))
  const refunded = rows.reduce((total, row) => total + row.refunded, 0n)
  const texts = campaign.texts.map((_, n) => textResult(n, rows, answers))
  return {
    people: campaign.accepted,
    outcomes: Object.fromEntries(totals(rows, ({ outcome }) => outcome)),
    clicked: answered('clicked'),
    replied: answered('replied'),
    opted_out: answered('opted_out'),
    charge: moneyToNumber(campaign.charged - refunded),
    refunded: moneyToNumber(refunded),
    failures: failuresOf(rows),
    operators: operatorsOf(rows),
    hours: hoursOf(rows),
    texts,
    ...present('winner', texts.length > 1 ? winnerOf(texts, campaign.message.is_trackable ?? false) : undefined),
  }
}

function sum(rows: readonly OutcomeRow[]): number {
  return rows.reduce((total, { people }) => total + people, 0)
}

function totals(rows: readonly OutcomeRow[], keyOf: (row: OutcomeRow) => string): [string, number][] {
  return [...groupBy(rows, keyOf)].map(([key, own]) => [key, sum(own)])
}

function failuresOf(rows: readonly OutcomeRow[]): CampaignReport['failures'] {
  const failed = rows.filter(({ outcome }) => FAILURES.has(outcome))
  const groups = groupBy(failed, ({ outcome, code, operator }) => `${outcome}\t${code}\t${operator}`)
  const lines = [...groups.values()].map((own) => {
    const { outcome = '', code = '', operator = '' } = own[0] ?? {}
    return { outcome, code, ...failureWords(outcome, code), operator, people: sum(own) }
  })
  return lines.sort((a, b) => b.people - a.people)
}

function operatorsOf(rows: readonly OutcomeRow[]): CampaignReport['operators'] {
  const known = rows.filter(({ outcome }) => outcome !== 'waiting')
  const lines = [...groupBy(known, ({ operator }) => operator)].map(([operator, own]) => {
    return { operator, people: sum(own), delivered: sum(own.filter(isDelivered)) }
  })
  return lines.sort((a, b) => b.people - a.people)
}

function hoursOf(rows: readonly OutcomeRow[]): CampaignReport['hours'] {
  const ended = rows.filter((row) => isDelivered(row) || FAILURES.has(row.outcome))
  return [...groupBy(ended, ({ hour }) => hour)].map(([hour, own]) => {
    return { hour, delivered: sum(own.filter(isDelivered)), failed: sum(own.filter((row) => !isDelivered(row))) }
  })
}

function isDelivered({ outcome }: OutcomeRow): boolean {
  return outcome === 'delivered'
}

function textResult(
  n: number,
  rows: readonly OutcomeRow[],
  answers: readonly OutcomeRow[],
): CampaignReport['texts'][number] {
  const own = rows.filter(({ text_number, outcome }) => text_number === n && outcome !== 'canceled')
  const people = sum(own)
  const delivered = sum(own.filter(isDelivered))
  const clicked = sum(answers.filter(({ text_number, outcome }) => text_number === n && outcome === 'answer_clicked'))
  return {
    text_number: n + 1,
    people,
    delivered,
    clicked,
    delivered_rate: share(delivered, people),
    clicked_rate: share(clicked, delivered),
  }
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((10_000 * part) / whole) / 10_000
}

/** Significance at 95 % of a two-proportion z-test. */
const SIGNIFICANT_Z = 1.96

/** The text with the highest success rate, if it leads the next one significantly. */
function winnerOf(texts: CampaignReport['texts'], is_trackable: boolean): number | undefined {
  const tries = texts.map(({ text_number, people, delivered, clicked }) =>
    is_trackable ? { text_number, of: delivered, good: clicked } : { text_number, of: people, good: delivered },
  )
  const [best, next] = tries.filter(({ of }) => of > 0).sort((a, b) => b.good / b.of - a.good / a.of)
  if (!best || !next) return undefined
  const both = (best.good + next.good) / (best.of + next.of)
  const spread = Math.sqrt(both * (1 - both) * (1 / best.of + 1 / next.of))
  if (spread === 0) return undefined
  return (best.good / best.of - next.good / next.of) / spread > SIGNIFICANT_Z ? best.text_number : undefined
}
