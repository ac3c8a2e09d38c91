import type { TakenSegments } from '../../carriers/message-carrier.ts'
import { numberKey } from '../../carriers/message-id.ts'
import { isDatabaseUnreachable } from '../../db/unreachable.ts'
import type { Db } from '../../db/connect.ts'
import { finish, releaseJobs, postponeEach, type Job, type JobKey } from '../../queue/store.ts'
import { makeBatchWriter, type BatchWriter } from '../../values/concurrency/batch-writer.ts'
import { groupBy } from '../../values/group.ts'
import type { Log } from '../../values/log.ts'
import { decide, type Outcome } from './decide.ts'
import { moveOn, noteMaybeWith, recordHandedOver, recordTaken, type HandedOver, type Taken } from './store.ts'
import { deleteNumberKeys } from '../reports/match-by-number-store.ts'
import type { DispatchTarget } from './target.ts'
import { notifySteps, type Step } from './notify-steps.ts'
import { settle, type SettleDeps } from '../settle/settle.ts'
import type { Change } from '../settle/store.ts'

export type Result = {
  job: Job
  sealed_text: Buffer | null
  pages: number
  maybe_with: string | null
  /** For the notice of a step. */
  channel: string
  sender_id: string | null
  callback: string | null
  outcome: Outcome
}

/** Writes down what carriers said. It never fails: what cannot be written is left to the end of its lease. */
export type Recorder = {
  all(results: readonly Result[]): Promise<void>
  /** One of many that come one by one: those that come while a write is under way share the next. */
  one(result: Result): Promise<void>
}

const BURST = { items: 500 }
const MAX_WRITES = 30
const LONGEST_PAUSE_MS = 5_000

type RecordDeps = SettleDeps & { log: Log }

export function makeRecorder(deps: RecordDeps, target: DispatchTarget): Recorder {
  const bursts = new Map<string, BatchWriter<Result, undefined>>()
  /** On a cluster nobody waits for what another's node has to write. */
  const whose = ({ job }: Result) => (deps.db.distributed ? job.organisation_id : '')

  function burstOf(result: Result): BatchWriter<Result, undefined> {
    const known = bursts.get(whose(result))
    if (known) return known
    const write = async (results: readonly Result[]) => {
      await record(deps, target, results)
      return results.map(() => undefined)
    }
    const burst = makeBatchWriter(BURST, write, isDatabaseUnreachable)
    bursts.set(whose(result), burst)
    return burst
  }

  return {
    async all(results) {
      const groups = [...groupBy(results, whose).values()]
      await Promise.all(groups.map((own) => written(deps, target, () => record(deps, target, own))))
    },
    one: (result) => written(deps, target, () => burstOf(result)(result)),
  }
}

/** Tries until it is written, as long as that makes sense; a second writing of the same changes nothing. */
export async function written(
  { log }: { log: Log },
  { queue }: Pick<DispatchTarget, 'queue'>,
  write: () => Promise<unknown>,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await write()
      return
    } catch (fault) {
      const given_up = tries >= (isDatabaseUnreachable(fault) ? MAX_WRITES : 2)
      log.error({ queue, err: fault, given_up }, 'what a carrier answered could not be written down')
      if (given_up) return
      const pause_ms = Math.min(LONGEST_PAUSE_MS, 100 * 2 ** tries)
      await new Promise((resolve) => setTimeout(resolve, pause_ms))
    }
  }
}

async function record(deps: RecordDeps, target: DispatchTarget, results: readonly Result[]): Promise<void> {
  const groups = groupBy(results, ({ job }) => job.organisation_id)
  await Promise.all([...groups].map(([organisation_id, own]) => recordOwn(deps, target, organisation_id, own)))
}

/** What is to be written for the outcomes of one organisation. */
type Entries = {
  handed_over: HandedOver[]
  steps: Step[]
  taken: Taken[]
  settled: { job: JobKey; change: Change }[]
  moved: bigint[]
  in_doubt: { message_id: string; recipient: string; maybe_with: string }[]
  postponed: (JobKey & { delay_ms: number; attempts: number })[]
  held: (JobKey & Pick<Job, 'run_at'> & { delay_ms?: number | undefined })[]
}

async function recordOwn(
  deps: RecordDeps,
  target: DispatchTarget,
  organisation_id: string,
  results: readonly Result[],
): Promise<void> {
  const entries: Entries = {
    handed_over: [],
    steps: [],
    taken: [],
    settled: [],
    moved: [],
    in_doubt: [],
    postponed: [],
    held: [],
  }
  for (const result of results) enter(entries, target, result)
  const { handed_over, taken, settled, moved, in_doubt, postponed, held } = entries
  // Before anybody else can take them in hand.
  await noteMaybeWith(deps.db, organisation_id, in_doubt)
  await Promise.all([
    recordHandedOver(deps.db, organisation_id, target.carrier.name, handed_over),
    recordTaken(deps.db, organisation_id, target.carrier.name, taken),
    moveOn(deps.db, organisation_id, target.carrier.name, target.next_queue ?? '', moved),
    postponeEach(deps.db, postponed),
    releaseJobs(deps.db, held),
  ])
  await notifySteps(deps, organisation_id, 'sent', entries.steps)
  if (moved.length > 0 && target.next_queue !== undefined) deps.wakeups.wake(target.next_queue, 0, organisation_id)
  for (const { delay_ms } of [...postponed, ...held]) {
    if (delay_ms !== undefined) deps.wakeups.wake(target.queue, delay_ms, organisation_id)
  }
  if (settled.length === 0) return
  await settle(
    deps,
    organisation_id,
    settled.map(({ change }) => change),
    (tx) =>
      finish(
        tx,
        settled.map(({ job }) => job),
      ),
  )
}

function enter(
  entries: Entries,
  target: DispatchTarget,
  { job, sealed_text, pages, maybe_with, outcome, channel, sender_id, callback }: Result,
): void {
  const where = { message_id: job.subject_id, recipient: job.subject_key }
  const key = { id: job.id, organisation_id: job.organisation_id }
  const { attempts, interrupted } = job
  const is_secret = sealed_text !== null
  const tried = { recipient: job.subject_key, attempts, is_secret, pages, interrupted, maybe_with }
  const decision = decide(target, tried, outcome)
  for (const taken of decision.taken ?? []) entries.taken.push({ ...where, ...taken })
  if (decision.maybe_with) entries.in_doubt.push({ ...where, maybe_with: decision.maybe_with })
  switch (decision.kind) {
    case 'sent':
      entries.handed_over.push({ job_id: job.id, ...where, ids: decision.ids, report_due_s: decision.report_due_s })
      entries.steps.push({ ...where, channel, sender_id, callback })
      break
    case 'ended': {
      const { status, code, description } = decision
      entries.settled.push({ job, change: { ...where, status, code, description } })
      break
    }
    case 'again':
      entries.postponed.push({ ...key, delay_ms: decision.delay_ms, attempts })
      break
    case 'moved':
      entries.moved.push(job.id)
      break
    case 'held':
      entries.held.push({ ...job, delay_ms: decision.delay_ms })
      break
  }
}

/** For a carrier that learns after the fact which segments of a message it has: now they are known by their ids. */
export function makeTakeSegments({ db }: { db: Db }) {
  return async (
    carrier: string,
    { organisation_id, message_id, recipient }: { organisation_id: string; message_id: string; recipient: string },
    taken: TakenSegments,
  ): Promise<void> => {
    await recordTaken(db, organisation_id, carrier, [{ message_id, recipient, ...taken }])
    await deleteNumberKeys(db, [{ carrier, kept_id: numberKey(recipient), message_id, recipient }])
  }
}
