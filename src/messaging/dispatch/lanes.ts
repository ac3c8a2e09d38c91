import type { LeasedDelivery } from '../intake/leased-row.ts'
import type { Outcome } from './decide.ts'
import { firstAttempts } from './first-attempts.ts'
import { makeRecorder, type Recorder } from './recorder.ts'
import type { DispatchDeps } from './retry-worker.ts'
import { makeSubmit } from './submit.ts'
import { capacityOf, inFlightLimit, type Attempt, type DispatchTarget } from './target.ts'

/** Chooses the carrier of a delivery, by its position. `room`: how many more messages each carrier takes now. */
export type ChooseLane = (delivery: LeasedDelivery, room: readonly number[]) => number

/** The carriers that a submitter submits to: one, or several of which one is chosen for each delivery. */
export type Lanes = {
  /** Maximum number of messages in flight. */
  limit: number
  /** How many deliveries to claim now. */
  capacity(is_urgent: boolean): number
  /** Submits deliveries, and records their outcomes. */
  submit(deliveries: readonly LeasedDelivery[]): void
} & Pick<Recorder<LeasedDelivery>, 'untilWritten'>

/** Choices are counted up to this number, and then halved: their shares are those of the last ones. */
const COUNTED_CHOICES = 1_024
/** A carrier that was chosen less often does not limit how many deliveries are claimed. */
const MIN_SHARE = 0.1
/** Nor does one that has answered nothing for this long: what is chosen for it waits in its queue, without delaying the others. */
const STALLED_MS = 5_000
const NO_ROOM: Outcome = { kind: 'held' }

/** `onRecorded` is called for each delivery, once its outcome is recorded. */
export function makeLanes(
  deps: DispatchDeps,
  route: string,
  targets: readonly DispatchTarget[],
  choose: ChooseLane | undefined,
  onRecorded: (delivery: LeasedDelivery) => void,
): Lanes {
  const source = firstAttempts(deps, route)
  const { record, untilWritten } = makeRecorder(deps, { route, channel: targets[0]?.channel }, source)
  const lanes = targets.map((target) => startLane(deps, target, { record, attemptOf: source.attemptOf, onRecorded }))
  const [only] = lanes
  const limit = lanes.reduce((sum, lane) => sum + lane.limit, 0)
  if (!choose || !only) {
    return { limit, capacity: () => only?.capacity() ?? 0, submit: (all) => only?.submit(all), untilWritten }
  }
  const chosen = lanes.map(() => 0)
  let choices = 0

  function noteChoice(position: number): void {
    chosen[position] = (chosen[position] ?? 0) + 1
    choices += 1
    if (choices < COUNTED_CHOICES) return
    choices /= 2
    for (const [n, count] of chosen.entries()) chosen[n] = count / 2
  }

  /** The number of which the carriers have room for their shares, if it is chosen as lately. */
  function proportional(room: readonly number[]): number {
    let bound = Infinity
    for (const [n, lane] of lanes.entries()) {
      const share = choices === 0 ? 0 : (chosen[n] ?? 0) / choices
      if (share >= MIN_SHARE && (room[n]! > 0 || lane.isAnswering())) bound = Math.min(bound, room[n]! / share)
    }
    return Math.floor(bound)
  }

  return {
    limit,
    capacity(is_urgent) {
      const room = lanes.map((lane) => lane.room())
      const sum = room.reduce((total, one) => total + one, 0)
      return is_urgent ? sum : Math.min(sum, proportional(room))
    },
    submit(deliveries) {
      const room = lanes.map((lane) => lane.room())
      const batches = lanes.map((): LeasedDelivery[] => [])
      for (const delivery of deliveries) {
        const position = choose(delivery, room)
        noteChoice(position)
        if (room[position]! > 0) {
          room[position]! -= 1
          batches[position]!.push(delivery)
        } else lanes[position]!.hold(delivery)
      }
      for (const [n, batch] of batches.entries()) if (batch.length > 0) lanes[n]!.submit(batch)
    },
    untilWritten,
  }
}

type Recording = Pick<Recorder<LeasedDelivery>, 'record'> & {
  attemptOf: (delivery: LeasedDelivery) => Attempt
  onRecorded: (delivery: LeasedDelivery) => void
}

function startLane(deps: DispatchDeps, target: DispatchTarget, { record, attemptOf, onRecorded }: Recording) {
  const { carrier } = target
  const limit = inFlightLimit(target)
  const submit = makeSubmit(deps, target, attemptOf, end)
  const capacity = (): number => capacityOf(target) ?? limit
  let in_flight = 0
  let answered_at = -Infinity

  async function end(delivery: LeasedDelivery, outcome: Outcome): Promise<void> {
    await record(target, delivery, outcome)
    in_flight -= 1
    answered_at = performance.now()
    onRecorded(delivery)
  }

  return {
    limit,
    capacity,
    /** How many more deliveries can be submitted now. */
    room: () => Math.max(0, Math.min(limit - in_flight, capacity())),
    /** Not one that is bound in another process, or down: nothing is in flight to it. */
    isAnswering: () => in_flight > 0 && performance.now() - answered_at < STALLED_MS,
    submit(deliveries: readonly LeasedDelivery[]): void {
      if (in_flight === 0) answered_at = performance.now()
      in_flight += deliveries.length
      for (let n = 0; n < deliveries.length; n += carrier.batch) void submit(deliveries.slice(n, n + carrier.batch))
    },
    /** Leaves a delivery to the carrier's queue, where it waits until there is room. */
    hold(delivery: LeasedDelivery): void {
      void record(target, delivery, NO_ROOM).then(() => onRecorded(delivery))
    },
  }
}
