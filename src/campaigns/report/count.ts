import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { presentOperator } from '../../numbers/conclude.ts'
import type { NumberKnowledge } from '../../numbers/knowledge.ts'
import type { CampaignRow } from '../store.ts'
import {
  addDifferences,
  countAnswers,
  listToCount,
  lockCounts,
  readDeliveries,
  writeCounts,
  type CountedDelivery,
  type CountedSlice,
  type Counts,
  type Difference,
} from './count-store.ts'

const SLICES_PER_STEP = 20
/** Replies, opt-outs and clicks within this time are attributed to the campaign. */
export const ANSWERS_WITHIN_H = 72
const SOONEST_S = 1
const PATIENT_S = 30
/** Interval of counts once all deliveries have ended: clicks come quickly, replies and opt-outs later. */
const SETTLED_S = { tracked: 30, untracked: 300 }
const LONGEST_S = 6 * 3_600
/** Counts while a slice doubles its age, as long as deliveries are in flight. */
const COUNTS_PER_AGE = 20
/** Not submitted yet. */
const WAITING = new Set(['queued', 'scheduled'])

export type CountDeps = { db: Db; numbers: NumberKnowledge }

/**
 * Counts the slices that are due, each by its message id, and adds the changes to the campaign's counters. A new slice is
 * counted every second, an older one less and less often. An interrupted count is repeated. Returns how many were counted.
 */
export async function countSlices(
  deps: CountDeps,
  organisation_id: string,
  { id, message }: Pick<CampaignRow, 'id' | 'message'>,
): Promise<number> {
  const slices = await listToCount(deps.db, organisation_id, id, SLICES_PER_STEP)
  const settled_s = message.is_trackable ? SETTLED_S.tracked : SETTLED_S.untracked
  for (const slice of slices) await countSlice(deps, organisation_id, id, slice, settled_s)
  return slices.length
}

async function countSlice(
  { db, numbers }: CountDeps,
  organisation_id: string,
  campaign_id: string,
  slice: CountedSlice,
  settled_s: number,
): Promise<void> {
  const deliveries = await readDeliveries(db, organisation_id, slice.message_id)
  const recipients = deliveries.map(({ recipient }) => recipient)
  const known = await numbers.find(recipients)
  const operatorOf = (recipient: string): string =>
    presentOperator(numbers.table.originOf(recipient), known.get(recipient)).operator
  const outcomes = countEach(deliveries, operatorOf)
  const answers = await countAnswers(db, organisation_id, recipients, slice.accepted_datetime, ANSWERS_WITHIN_H)
  const hour = `${slice.accepted_datetime.slice(0, 13)}:00:00+00:00`
  for (const [outcome, people] of Object.entries(answers)) {
    if (people > 0) outcomes[keyOf([`answer_${outcome}`, '', '', hour])] = [people, 0, 0]
  }
  const unwritten = Math.max(0, slice.people - deliveries.length)
  if (unwritten > 0) outcomes[keyOf(['waiting', '', '', hour])] = [unwritten, 0, 0]
  const waiting = unwritten + deliveries.filter(({ status }) => WAITING.has(status)).length
  const in_flight = deliveries.filter(({ status }) => status === 'sent').length
  const is_over = slice.age_s > ANSWERS_WITHIN_H * 3_600 && waiting === 0
  const again_in_s = is_over ? undefined : nextCountIn(slice.age_s, { waiting, in_flight, settled_s })
  await transaction(db, async (tx) => {
    const before = await lockCounts(tx, organisation_id, campaign_id, slice.number)
    if (!before) return
    await writeCounts(tx, organisation_id, campaign_id, { number: slice.number, outcomes, waiting, again_in_s })
    await addDifferences(tx, organisation_id, campaign_id, differencesOf(slice.text_number, before, outcomes))
  })
}

/** Seconds until the next count. Once all deliveries have ended, only answers can follow and the interval grows. */
function nextCountIn(
  age_s: number,
  { waiting, in_flight, settled_s }: { waiting: number; in_flight: number; settled_s: number },
): number {
  if (waiting === 0 && in_flight === 0) return Math.min(LONGEST_S, Math.max(settled_s, age_s))
  const pause = Math.max(SOONEST_S, age_s / COUNTS_PER_AGE)
  return Math.min(waiting > 0 ? PATIENT_S : LONGEST_S, pause)
}

function countEach(deliveries: readonly CountedDelivery[], operatorOf: (recipient: string) => string): Counts {
  const counts: Counts = {}
  const add = (key: string, charge: bigint, refunded: boolean): void => {
    const [people, cost, back] = counts[key] ?? [0, 0, 0]
    counts[key] = [people + 1, cost + Number(charge), back + (refunded ? Number(charge) : 0)]
  }
  for (const { recipient, status, code, charge, refunded, is_clicked, hour } of deliveries) {
    const operator = operatorOf(recipient)
    add(keyOf([WAITING.has(status) ? 'waiting' : status, code ?? '', operator, hour]), charge, refunded)
    if (is_clicked) add(keyOf(['answer_clicked', '', operator, hour]), 0n, false)
  }
  return counts
}

const SEPARATOR = '\t'

function keyOf(parts: [outcome: string, code: string, operator: string, hour: string]): string {
  return parts.map((part) => part.replaceAll(SEPARATOR, ' ')).join(SEPARATOR)
}

function differencesOf(text_number: number, before: Counts, after: Counts): Difference[] {
  const differences: Difference[] = []
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, cost_was, back_was] = before[key] ?? [0, 0, 0]
    const [is, cost_is, back_is] = after[key] ?? [0, 0, 0]
    if (was === is && cost_was === cost_is && back_was === back_is) continue
    const [outcome = '', code = '', operator = '', hour = ''] = key.split(SEPARATOR)
    const change = { people: is - was, charge: cost_is - cost_was, refunded: back_is - back_was }
    differences.push({ text_number, outcome, code, operator, hour, ...change })
  }
  return differences
}
