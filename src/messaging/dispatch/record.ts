import type { Channel, MessageCarrier, SubmitOutcome, TakenSegments } from '../../carriers/message-carrier.ts'
import { keptId, numberKey } from '../../carriers/message-id.ts'
import { isDatabaseUnreachable } from '../../db/unreachable.ts'
import type { Db } from '../../db/connect.ts'
import { finish, giveBack, postponeEach, type Job } from '../../queue/store.ts'
import { makeBurst } from '../../values/burst.ts'
import { groupBy } from '../../values/group.ts'
import type { Log } from '../../values/log.ts'
import { moveOn, recordHandedOver, recordTaken, type HandedOver, type Taken } from './store.ts'
import { forgetNumberKeys } from '../reports/store.ts'
import type { OnUnknown } from '../settings.ts'
import { settle, type SettleDeps } from '../settle/settle.ts'
import type { Change } from '../settle/store.ts'

/** A carrier at work on a queue, and what is done with what it does not take. */
export type DispatchTarget = {
  queue: string
  carrier: MessageCarrier
  /** What its messages go out on, whatever channel they were asked for: WhatsApp's may fall back to SMS. */
  channel?: Channel | undefined
  rate_per_s?: number | undefined
  /** The queue of the carrier to try next; without it this is the last. */
  next_queue?: string | undefined
  on_unknown?: OnUnknown | undefined
}

export type Outcome = SubmitOutcome | { kind: 'failed'; description: string }
export type Result = { job: Job; sealed_text: Buffer | null; pages: number; outcome: Outcome }

/** Writes down what carriers said. It never fails: what cannot be written is left to the end of its lease. */
export type Recorder = {
  all(results: readonly Result[]): Promise<void>
  /** One of many that come one by one: those that come while a write is under way share the next. */
  one(result: Result): Promise<void>
}

/** A network that does not take a message this often will not: it is `failed` and refunded. */
const MAX_ATTEMPTS = 12
/** With another carrier to try, fewer tries. */
const MAX_ATTEMPTS_BEFORE_NEXT = 3
const LONGEST_RETRY_S = 300
const NUMBER_KEPT_S = 72 * 3_600
const BURST = { items: 500 }
const MAX_WRITES = 30
const LONGEST_PAUSE_MS = 5_000

type RecordDeps = SettleDeps & { log: Log }

export function makeRecorder(deps: RecordDeps, target: DispatchTarget): Recorder {
  const burst = makeBurst<Result, undefined>(
    BURST,
    async (results) => {
      await record(deps, target, results)
      return results.map(() => undefined)
    },
    isDatabaseUnreachable,
  )
  return {
    all: (results) => written(deps, target, () => record(deps, target, results)),
    one: (result) => written(deps, target, () => burst(result)),
  }
}

/** Tries until it is written, as long as that makes sense; a second writing of the same changes nothing. */
async function written({ log }: { log: Log }, { queue }: DispatchTarget, write: () => Promise<unknown>): Promise<void> {
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
  taken: Taken[]
  settled: { job_id: bigint; change: Change }[]
  moved: bigint[]
  postponed: { id: bigint; delay_ms: number; attempts: number }[]
  held: { id: bigint; delay_ms?: number | undefined }[]
}

async function recordOwn(
  deps: RecordDeps,
  target: DispatchTarget,
  organisation_id: string,
  results: readonly Result[],
): Promise<void> {
  const entries: Entries = { handed_over: [], taken: [], settled: [], moved: [], postponed: [], held: [] }
  for (const result of results) enter(entries, target, result)
  const { handed_over, taken, settled, moved, postponed, held } = entries
  await Promise.all([
    recordHandedOver(deps.db, organisation_id, target.carrier.name, handed_over),
    recordTaken(deps.db, organisation_id, target.carrier.name, taken),
    moveOn(deps.db, organisation_id, target.carrier.name, target.next_queue ?? '', moved),
    postponeEach(deps.db, postponed),
    giveBack(deps.db, held).catch((fault: unknown) => {
      deps.log.warn({ err: fault, jobs: held.length }, 'messages that never left could not be given back')
    }),
  ])
  if (moved.length > 0 && target.next_queue !== undefined) deps.wakeups.wake(target.next_queue)
  for (const { delay_ms } of [...postponed, ...held]) {
    if (delay_ms !== undefined) deps.wakeups.wake(target.queue, delay_ms)
  }
  if (settled.length === 0) return
  await settle(
    deps,
    organisation_id,
    settled.map(({ change }) => change),
    (tx) =>
      finish(
        tx,
        settled.map(({ job_id }) => job_id),
      ),
  )
}

function enter(entries: Entries, target: DispatchTarget, { job, sealed_text, pages, outcome }: Result): void {
  const where = { message_id: job.subject_id, recipient: job.subject_key }
  const end = (status: Change['status'], code: string | null, description: string): void => {
    entries.settled.push({ job_id: job.id, change: { ...where, status, code, description } })
  }
  const again = (delay_s: number): void => {
    entries.postponed.push({ id: job.id, delay_ms: 1_000 * delay_s, attempts: job.attempts })
  }
  switch (outcome.kind) {
    case 'accepted': {
      const ids = [outcome.carrier_message_id, ...(outcome.further_ids ?? [])].map(keptId)
      entries.handed_over.push({ job_id: job.id, ...where, ids, report_due_s: outcome.report_due_s })
      break
    }
    case 'rejected':
      if (outcome.elsewhere && target.next_queue !== undefined) entries.moved.push(job.id)
      else end('rejected', outcome.code, outcome.description)
      break
    case 'temporary':
      if (target.next_queue !== undefined && job.attempts >= MAX_ATTEMPTS_BEFORE_NEXT) {
        entries.moved.push(job.id)
      } else if (job.attempts < MAX_ATTEMPTS) again(outcome.retry_after_s ?? backOff(job))
      else end('failed', outcome.code, outcome.description)
      break
    case 'held':
      entries.held.push({ id: job.id, delay_ms: outcome.retry_after_s && 1_000 * outcome.retry_after_s })
      break
    case 'undelivered':
      end('undelivered', outcome.code, outcome.description)
      break
    case 'failed':
      end('failed', null, outcome.description)
      break
    case 'unknown':
      if (outcome.taken) entries.taken.push({ ...where, ...outcome.taken })
      if (sealed_text !== null && target.on_unknown !== 'hold' && target.on_unknown !== 'fail' && mayRepeat(job))
        again(0)
      else if (target.on_unknown === 'fail') end('failed', null, outcome.description)
      else {
        end('unknown', null, outcome.description)
        // Of one in segments a single report would not tell enough.
        if (!(outcome.in_segments ?? pages > 1)) entries.taken.push({ ...where, ...takenByNumber(job.subject_key) })
      }
      break
  }
}

/** Its id was never learned: a report on an id nobody knows, but on its number, is taken to be on it. */
function takenByNumber(recipient: string): TakenSegments {
  return { segments: 1, ids: [{ segment: 1, carrier_message_id: numberKey(recipient) }], report_due_s: NUMBER_KEPT_S }
}

function mayRepeat(job: Job): boolean {
  return job.attempts < MAX_ATTEMPTS_BEFORE_NEXT
}

function backOff(job: Job): number {
  return Math.min(LONGEST_RETRY_S, 2 ** (job.attempts - 1))
}

/** For a carrier that learns after the fact which segments of a message it has: now they are known by their ids. */
export function makeTakeSegments({ db }: { db: Db }) {
  return async (
    carrier: string,
    { organisation_id, message_id, recipient }: { organisation_id: string; message_id: string; recipient: string },
    taken: TakenSegments,
  ): Promise<void> => {
    await recordTaken(db, organisation_id, carrier, [{ message_id, recipient, ...taken }])
    await forgetNumberKeys(db, [{ carrier, kept_id: numberKey(recipient), message_id }])
  }
}
