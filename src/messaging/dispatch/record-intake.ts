import { numberKey } from '../../carriers/message-id.ts'
import { whereItLies } from '../../db/cluster/where-it-lies.ts'
import { isDatabaseUnreachable } from '../../db/unreachable.ts'
import { makeBatchWriter, type BatchWriter } from '../../values/concurrency/batch-writer.ts'
import { groupBy } from '../../values/group.ts'
import { madeAt } from '../../values/id.ts'
import type { Log } from '../../values/log.ts'
import type { LeasedDelivery, LeasedRow } from '../intake/leased-row.ts'
import { recordIntake, type Other, type Sent } from '../intake/store.ts'
import type { RecentSubmissions } from '../reports/recent-submissions.ts'
import { settle, type SettleDeps } from '../settle/settle.ts'
import type { Change } from '../settle/store.ts'
import { decide, type Outcome } from './decide.ts'
import { written } from './record.ts'
import { recordTaken, storeSubmissions, type Taken } from './store.ts'
import type { DispatchTarget } from './target.ts'
import { notifySteps, type Step } from './notify-steps.ts'

/** What became of a delivery of the intake. */
export type IntakeResult = { delivery: LeasedDelivery; outcome: Outcome }

/** Writes results down. It never fails: what cannot be written is left to the end of its lease. */
export type IntakeRecorder = {
  record: (result: IntakeResult) => Promise<void>
  /** All that is known by now is written, or was given up. */
  untilWritten: () => Promise<unknown>
}

const BURST = { items: 500 }

type Deps = SettleDeps & { log: Log; recent?: RecentSubmissions | undefined }
type Target = DispatchTarget & { route: string }

/** Results of an organisation are written one batch after the other: those that come meanwhile share the next. */
export function makeIntakeRecorder(deps: Deps, target: Target): IntakeRecorder {
  const bursts = new Map<string, BatchWriter<IntakeResult, undefined>>()
  const writing = new Set<Promise<void>>()

  function write(result: IntakeResult): Promise<void> {
    const { organisation_id } = result.delivery.row
    let burst = bursts.get(organisation_id)
    if (!burst) {
      burst = makeBatchWriter(
        BURST,
        async (results: readonly IntakeResult[]) => {
          await record(deps, target, organisation_id, results)
          return results.map(() => undefined)
        },
        isDatabaseUnreachable,
      )
      bursts.set(organisation_id, burst)
    }
    const own = burst
    return written(deps, target, () => own(result))
  }

  return {
    async record(result) {
      const one = write(result)
      writing.add(one)
      await one
      writing.delete(one)
    },
    untilWritten: () => Promise.all(writing),
  }
}

async function record(
  deps: Deps,
  target: Target,
  organisation_id: string,
  results: readonly IntakeResult[],
): Promise<void> {
  const { sent, others, taken } = entriesOf(target, results)
  const counts = [...groupBy(results, ({ delivery }) => delivery.row)].map(([row, own]) => ({ row, count: own.length }))
  const entries = {
    opened: counts.flatMap(({ row }) => (row.opened ? [] : [row])),
    ended: counts.flatMap(({ row, count }) => (row.left === count ? [row] : [])),
    sent,
    others,
  }
  const by = { route: target.route, carrier: target.carrier.name }
  if (deps.db.distributed) await storeSubmissions(deps.db, organisation_id, by.carrier, sent.map(keysOf))
  let sent_ms = 0
  if (taken.length === 0 && others.every(({ end }) => !end)) {
    sent_ms = (await recordIntake(whereItLies(deps.db, organisation_id), organisation_id, by, entries)).clock_ms
    deps.recent?.noteClock(organisation_id, sent_ms)
  } else {
    const write = async (tx: Parameters<typeof recordIntake>[0]): Promise<readonly Change[]> => {
      const { stored, clock_ms } = await recordIntake(tx, organisation_id, by, entries)
      sent_ms = clock_ms // on a cluster the coordinator's
      const ours = new Set(stored.map(({ delivery }) => delivery))
      await recordTaken(
        tx,
        organisation_id,
        by.carrier,
        taken.filter((one) => ours.has(one.delivery) || !isByNumber(one)),
      )
      return stored.flatMap(changeOf)
    }
    await settle(deps, organisation_id, write, async () => {})
  }
  noteHandedOver(deps, by, sent)
  await notifySteps(deps, organisation_id, 'sent', sent.map(stepOf))
  for (const one of sent) remember(deps, by, one, sent_ms)
  for (const { row, count } of counts) noteWritten(row, count)
  for (const queue of new Set(others.map((one) => one.queue))) {
    const waits = others.filter((one) => one.queue === queue).map(({ delay_ms }) => delay_ms ?? 0)
    if (queue !== undefined) for (const delay_ms of new Set(waits)) deps.wakeups.wake(queue, delay_ms, organisation_id)
  }
}

/** By the clock of whoever accepted it, which may be ahead of ours. */
function noteHandedOver({ meters }: Deps, by: { route: string; carrier: string }, sent: readonly Sent[]): void {
  const now = Date.now()
  for (const { delivery } of sent) {
    meters.handed_over.observe(by, Math.max(0, now - madeAt(delivery.message_id)) / 1_000)
  }
}

/** Messages of several segments are settled by what is reported on each of them. */
function remember(
  { recent }: Deps,
  { route, carrier }: { route: string; carrier: string },
  { delivery, ids, report_due_s }: Sent,
  sent_ms: number,
): void {
  const [id] = ids
  if (id !== undefined && ids.length === 1) recent?.note(carrier, id, { delivery, route, report_due_s, sent_ms })
}

function keysOf({ delivery: { message_id, recipient }, ids, report_due_s }: Sent) {
  return { message_id, recipient, ids, report_due_s }
}

function noteWritten(row: LeasedRow, count: number): void {
  row.opened = true
  row.left -= count
}

function stepOf({ delivery: { message_id, recipient, channel, sender_id, message } }: Sent): Step {
  return { message_id, recipient, channel, sender_id, callback: message?.callback }
}

function changeOf({ delivery: { message_id, recipient }, end }: Other): Change[] {
  return end ? [{ message_id, recipient, ...end }] : []
}

/** What another has written is found by the ids it was written with: by its number it would take the reports of others. */
function isByNumber({ recipient, ids }: Taken): boolean {
  return ids.some(({ carrier_message_id }) => carrier_message_id === numberKey(recipient))
}

type Entries = { sent: Sent[]; others: Other[]; taken: (Taken & { delivery: LeasedDelivery })[] }

function entriesOf(target: Target, results: readonly IntakeResult[]): Entries {
  const entries: Entries = { sent: [], others: [], taken: [] }
  for (const { delivery, outcome } of results) enter(entries, target, delivery, outcome)
  return entries
}

function enter({ sent, others, taken }: Entries, target: Target, delivery: LeasedDelivery, outcome: Outcome) {
  const { message_id, recipient, sealed_text, pages, interrupted } = delivery
  const attempts = attemptOf(delivery)
  const tried = { recipient, attempts, is_secret: sealed_text !== null, pages, interrupted, maybe_with: null }
  const decision = decide(target, tried, outcome)
  for (const segments of decision.taken ?? []) taken.push({ delivery, message_id, recipient, ...segments })
  const { maybe_with } = decision
  switch (decision.kind) {
    case 'sent':
      sent.push({ delivery, ids: decision.ids, report_due_s: decision.report_due_s })
      break
    case 'ended': {
      const { status, code, description } = decision
      others.push({ delivery, end: { status, code, description } })
      break
    }
    case 'again':
      others.push({ delivery, queue: target.queue, delay_ms: decision.delay_ms, attempts, maybe_with })
      break
    case 'moved':
      others.push({ delivery, queue: target.next_queue, tried: target.carrier.name, maybe_with })
      break
    case 'held':
      others.push({ delivery, queue: target.queue, delay_ms: decision.delay_ms ?? A_MOMENT_MS, maybe_with })
      break
  }
}

const A_MOMENT_MS = 100

/** Those that come back from somebody who died were tried once more for each time their row was claimed. */
export function attemptOf({ interrupted, row }: LeasedDelivery): number {
  return interrupted ? row.claims : 1
}
