import { costOf, type Billed, type Costs } from '../../carriers/costs.ts'
import type { Channel, TakenSegments } from '../../carriers/message-carrier.ts'
import type { Choice } from '../../choice/choice.ts'
import { numberKey } from '../../carriers/message-id.ts'
import type { Db } from '../../db/connect.ts'
import { byLayout } from '../../db/layout.ts'
import { isDatabaseUnreachable } from '../../db/unreachable.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { makeRetryingBatchWriter, type Group } from '../../values/concurrency/batch-writer.ts'
import type { Log } from '../../values/log.ts'
import { deleteNumberKeys } from '../reports/match-by-number-store.ts'
import type { RecentSubmissions } from '../reports/recent-submissions.ts'
import type { SettleDeps } from '../settle/settle.ts'
import { noteAccepted, noteNotAccepted } from '../count-evidence.ts'
import { noteSubmitted } from '../count-margins.ts'
import { decide, idsOf, type NotAccepted, type Outcome } from './decide.ts'
import { notifySteps, type Step } from './notify-steps.ts'
import { recordTaken, type Taken } from './store.ts'
import type { Sent, Unsent } from '../submission.ts'
import type { Attempt, DispatchTarget } from './target.ts'

export type RecorderDeps = SettleDeps & {
  log: Log
  /** Recent submissions, for reports that arrive soon; on a cluster. */
  recent?: RecentSubmissions | undefined
  /** What carriers charge us. */
  costs?: Costs | undefined
}

/** A delivery with what decides its cost, and what it was charged. */
export type Recorded = Billed & {
  message_id: string
  charge: bigint
  sealed_text: Buffer | null
  choice?: Choice | undefined
}

/** What is to be stored for a batch of outcomes of one organisation. */
export type Entries<Delivery> = {
  sent: Sent<Delivery>[]
  unsent: Unsent<Delivery>[]
  /** Segments a carrier has of messages that are not `sent`, so that reports on them are matched. */
  taken: (Taken & { delivery: Delivery })[]
}

/** Where deliveries come from, and how their outcomes are stored: the intake, or the queue of retries. */
export type DeliverySource<Delivery> = {
  organisationOf(delivery: Delivery): string
  attemptOf: (delivery: Delivery) => Attempt
  stepOf(delivery: Delivery): Step
  /** Delay of a held delivery whose carrier names none. Without it the fallback poll finds the delivery. */
  held_delay_ms?: number
  /** Stores a batch of one organisation. A repeated call with the same entries changes nothing. */
  store(organisation_id: string, entries: Entries<Delivery>): Promise<void>
  /** The same for deliveries of several organisations, on a single server. It must not wait long for any of them. */
  storeSent(sent: readonly Sent<Delivery>[]): Promise<void>
}

/** Records outcomes of carriers of a route. Never rejects: what cannot be stored is left to the expiry of its lease. */
export type Recorder<Delivery> = {
  record: (target: DispatchTarget, delivery: Delivery, outcome: Outcome) => Promise<void>
  /** Resolves when every outcome known by now is stored, or was abandoned. */
  untilWritten: () => Promise<unknown>
}

/** Outcomes in one write. */
const BATCH = { items: 500 }
/** Outcomes of one organisation in a write that it shares with others. */
const SHARED_ITEMS = 64
/** Writes of a batch while the database is unreachable; for any other failure, two. */
const MAX_WRITES = 30

/** A write for several organisations failed, perhaps because of one of them: each is written alone, and not all again. */
class SharedWriteFailed extends Error {}

function maxWrites(fault: unknown): number {
  if (isDatabaseUnreachable(fault)) return MAX_WRITES
  return fault instanceof SharedWriteFailed ? 1 : 2
}

/**
 * Outcomes of one organisation are stored one batch after the other, retries and new messages alike, whichever carriers they
 * are from. Accepted deliveries of several organisations are stored by one statement, unless one of them fails or waits for
 * a lock.
 */
export function makeRecorder<Delivery extends Recorded>(
  deps: RecorderDeps,
  of_route: { route: string; channel?: Channel | undefined },
  source: DeliverySource<Delivery>,
): Recorder<Delivery> {
  const { route } = of_route
  const writing = new Set<Promise<unknown>>()
  const log = (fault: unknown, abandoned: boolean): void =>
    deps.log.error({ route, err: fault, abandoned }, 'recording the outcomes of submissions failed')

  type Result = { target: DispatchTarget; delivery: Delivery; outcome: Outcome }
  const shared = { keys: BATCH.items, weight_per_key: SHARED_ITEMS, write: writeShared }
  const writer = makeRetryingBatchWriter<Result>(
    BATCH,
    {
      first_ms: 200,
      longest_ms: 5_000,
      shouldRetry: (fault, failures) => failures < maxWrites(fault),
      onRetry: (_, __, fault) => log(fault, false),
    },
    write,
    isDatabaseUnreachable,
    byLayout(deps.db, { single_server: shared, cluster: undefined }),
  )

  async function write(organisation_id: string, results: readonly Result[]): Promise<void> {
    const entries = entriesOf(deps, source, results)
    await source.store(organisation_id, entries)
    await notifySent(organisation_id, entries)
    wakeQueues(deps.wakeups, organisation_id, entries.unsent)
  }

  /** Groups with other outcomes are then written alone. */
  async function writeShared(groups: readonly Group<Result>[]): Promise<(never[] | undefined)[]> {
    const entries = groups.map(({ items }) => entriesOf(deps, source, items))
    const all_sent = entries.map(({ unsent, taken }) => unsent.length === 0 && taken.length === 0)
    try {
      await source.storeSent(entries.flatMap(({ sent }, n) => (all_sent[n] ? sent : [])))
    } catch (cause) {
      throw new SharedWriteFailed('recording the outcomes of several organisations failed', { cause })
    }
    return groups.map(({ key }, n) => {
      const own = all_sent[n] ? entries[n] : undefined
      if (own) void track(notifySent(key, own)) // without delaying the others
      return own && []
    })
  }

  async function notifySent(organisation_id: string, { sent }: Entries<Delivery>): Promise<void> {
    noteAccepted(deps.meters, of_route, sent)
    if (deps.costs?.in_use) noteSubmitted(deps.meters, organisation_id, sent)
    const steps = sent.map(({ delivery }) => source.stepOf(delivery))
    await notifySteps(deps, organisation_id, 'sent', steps)
  }

  /** `untilWritten` waits for it. */
  async function track(written: Promise<void>): Promise<void> {
    writing.add(written)
    await written
    writing.delete(written)
  }

  return {
    record(target, delivery, outcome) {
      noteNotAccepted(deps.meters, target, delivery, outcome)
      const added = writer.add(source.organisationOf(delivery), { target, delivery, outcome })
      return track(added.catch((fault: unknown) => log(fault, true)))
    },
    untilWritten: () => Promise.all(writing),
  }
}

function entriesOf<Delivery extends Recorded>(
  { costs }: Pick<RecorderDeps, 'costs'>,
  source: DeliverySource<Delivery>,
  results: readonly { target: DispatchTarget; delivery: Delivery; outcome: Outcome }[],
): Entries<Delivery> {
  const entries: Entries<Delivery> = { sent: [], unsent: [], taken: [] }
  for (const { target, delivery, outcome } of results) {
    if (outcome.kind === 'accepted') {
      const carrier = target.carrier.name
      const ids = idsOf(outcome, delivery.recipient)
      const own_costs = costs?.of(carrier)
      const cost = own_costs && costOf(own_costs, billedAs(target, delivery), { ids, cost: outcome.cost })
      entries.sent.push({ delivery, carrier, ids, report_due_s: outcome.report_due_s, cost })
    } else addEntry(entries, costs, target, source, delivery, outcome)
  }
  entries.sent.sort(inOrder)
  entries.unsent.sort(inOrder)
  return entries
}

/** The order in which every statement locks deliveries, so that no two wait for each other. */
function inOrder<Key extends { message_id: string; recipient: string }>(
  { delivery: a }: { delivery: Key },
  { delivery: b }: { delivery: Key },
): number {
  return compare(a.message_id, b.message_id) || compare(a.recipient, b.recipient)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function addEntry<Delivery extends Recorded>(
  { unsent, taken }: Entries<Delivery>,
  costs: Costs | undefined,
  target: DispatchTarget,
  source: DeliverySource<Delivery>,
  delivery: Delivery,
  outcome: NotAccepted,
): void {
  const attempt = source.attemptOf(delivery)
  const decision = decide(target, attempt, outcome)
  const { message_id, recipient, attempt: attempts } = attempt
  const own = target.carrier.name
  for (const segments of decision.taken ?? [])
    taken.push({ delivery, carrier: own, message_id, recipient, ...segments })
  const { possible_carrier } = decision
  switch (decision.kind) {
    case 'ended': {
      const { status, code, description } = decision
      // A carrier has the message or a part of it, or may have it: then it may also charge for it.
      const carrier = attempt.possible_carrier ?? own
      const is_taken = status === 'unknown' || status === 'undelivered'
      const cost = is_taken ? costOf(costs?.of(carrier), billedAs(target, delivery)) : undefined
      const billed = cost && { carrier, ...cost }
      unsent.push({ delivery, end: { status, code, description, billed } })
      break
    }
    case 'retry':
      unsent.push({ delivery, queue: target.queue, delay_ms: decision.delay_ms, attempts, possible_carrier })
      break
    case 'failover':
      unsent.push({ delivery, queue: decision.queue, delay_ms: 0, tried: own, possible_carrier })
      break
    case 'held':
      unsent.push({
        delivery,
        queue: target.queue,
        delay_ms: decision.delay_ms ?? source.held_delay_ms,
        possible_carrier,
      })
      break
    default:
      decision satisfies never
  }
}

/** On the channel of the route, whichever was requested. */
function billedAs({ channel }: DispatchTarget, delivery: Recorded): Billed {
  return channel === undefined ? delivery : { ...delivery, channel }
}

function wakeQueues(
  wakeups: Wakeups,
  organisation_id: string,
  unsent: readonly Pick<Unsent<unknown>, 'queue' | 'delay_ms'>[],
): void {
  const wakes = new Map<string, { queue: string; delay_ms: number }>()
  for (const { queue, delay_ms } of unsent) {
    if (queue !== undefined && delay_ms !== undefined) wakes.set(`${delay_ms} ${queue}`, { queue, delay_ms })
  }
  for (const { queue, delay_ms } of wakes.values()) wakeups.wake(queue, delay_ms, organisation_id)
}

/** For a carrier that learns later which segments of a message it has: from now on they are known by their ids. */
export function makeTakeSegments({ db }: { db: Db }) {
  return async (
    carrier: string,
    { organisation_id, message_id, recipient }: { organisation_id: string; message_id: string; recipient: string },
    taken: TakenSegments,
  ): Promise<void> => {
    await recordTaken(db, organisation_id, [{ carrier, message_id, recipient, ...taken }])
    await deleteNumberKeys(db, [{ carrier, kept_id: numberKey(recipient), message_id, recipient }])
  }
}
