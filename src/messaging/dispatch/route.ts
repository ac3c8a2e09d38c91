import type { Channel, MessageCarrier } from '../../carriers/message-carrier.ts'
import type { Chooser } from '../../choice/choice.ts'
import type { Worker } from '../../queue/worker.ts'
import type { OnUnknown } from '../settings.ts'
import type { Pauses } from '../pauses/watch.ts'
import { makeCarrierChoice } from './choose-carrier.ts'
import { intakeTopic, routeQueue, routeQueues } from './queues.ts'
import { startRetryWorker, type DispatchDeps } from './retry-worker.ts'
import { startSubmitter, type Submitter } from './submitter.ts'
import type { DispatchTarget, Routable } from './target.ts'

export type Route = {
  name: string
  /** In the order in which they are tried. */
  carriers: readonly MessageCarrier[]
  /** Chooses the carrier of each message; without it the first one has all of them. */
  chooser?: Chooser | undefined
  channel?: Channel | undefined
  rate_per_s?: number | undefined
  on_unknown?: OnUnknown | undefined
  /** A carrier that has been down for this long is skipped. */
  failover_after_s?: number | undefined
  /** What operators have paused. */
  pauses?: Pauses | undefined
}

export type StartedRoute = Worker & {
  name: string
  submitters: readonly Submitter[]
  /** The queue of the carrier for another message, after those that had one (`tried`); undefined: there is no other. */
  queueAfter(second: Routable): string | undefined
}

const FAILOVER_AFTER_S = 30

/**
 * Starts the submitters and retry workers of a route. Each carrier has a queue: retries wait in that of the carrier that was
 * tried, and a message that a carrier rejects moves to the queue of the next. So only a process with a working connection to
 * a carrier claims what is queued for it. While a carrier is down for long, the carriers after it also serve its queue. A
 * message only moves forward, so that no carrier gets it a second time. New messages wait in the intake, for the first
 * carrier and those that replace it; with a chooser, for the carriers that are chosen, and the carriers after the last one
 * are the first ones.
 *
 * A carrier that an operator has paused counts as down; one that drains, too, immediately and for new messages only.
 */
export function startRoute(deps: DispatchDeps, route: Route): StartedRoute {
  const { name, carriers, chooser, channel, rate_per_s, on_unknown, pauses } = route
  const failover_after_ms = 1_000 * (route.failover_after_s ?? FAILOVER_AFTER_S)
  const queues = routeQueues(
    name,
    carriers.map((carrier) => carrier.name),
  )
  const downFor = (carrier: MessageCarrier): number =>
    Math.max(carrier.downFor?.() ?? 0, pauses?.downFor(carrier.name) ?? 0)
  const isDown = (carrier: MessageCarrier): boolean => downFor(carrier) >= failover_after_ms
  const choice = chooser && makeCarrierChoice(deps, chooser, { carriers, channel }, canTake)

  /** Draining holds back new messages only. */
  function isPaused(carrier: MessageCarrier, is_new: boolean): boolean {
    const modes = [pauses?.modeOf('route', name), pauses?.modeOf('carrier', carrier.name)]
    return modes.includes('paused') || (is_new && modes.includes('draining'))
  }

  function canTake(position: number): boolean {
    const carrier = carriers[position]
    return carrier !== undefined && downFor(carrier) === 0 && !isPaused(carrier, true)
  }

  /** A carrier that serves the queue of another one, or its own: while all from that one on are down. */
  function targetOf(position: number, served: number): DispatchTarget & { capacityFor(is_new: boolean): () => number } {
    const carrier = carriers[position]!
    const before = positionsFrom(served, position, carriers.length)
    return {
      queue: queues[served]!,
      carrier,
      channel,
      rate_per_s,
      on_unknown,
      nextQueue: choice
        ? (attempt) => queues[choice.next(attempt, [...before, position]) ?? carriers.length]
        : () => queues[position + 1],
      shared: choice ? carriers.length > 1 : served < carriers.length - 1,
      capacityFor: (is_new) => () =>
        before.every((one) => isDown(carriers[one]!)) && !isPaused(carrier, is_new)
          ? (carrier.freeCapacity?.() ?? Infinity)
          : 0,
    }
  }

  function laneOf(position: number, served: number): DispatchTarget {
    const target = targetOf(position, served)
    const carrier = carriers[position]!
    return {
      ...target,
      capacity: target.capacityFor(true),
      downFor: () => (isPaused(carrier, true) ? Infinity : downFor(carrier)),
    }
  }

  const positions = carriers.map((_, position) => position)
  const lanes = positions.map((position) => laneOf(position, choice ? position : 0))
  const submitter = { route: name, queue: routeQueue(name), rate_per_s }
  const submitters = choice
    ? [startSubmitter(deps, { ...submitter, lanes, choose: choice.choose })]
    : lanes.map((lane) => startSubmitter(deps, { ...submitter, lanes: [lane] }))
  const retry_workers = positions.flatMap((position) =>
    (choice ? positions : positions.slice(0, position + 1)).map((served) => {
      const target = targetOf(position, served)
      return startRetryWorker(deps, { ...target, capacity: target.capacityFor(false) })
    }),
  )
  const endWatch = pauses?.onChange(() => {
    for (const topic of [intakeTopic(name), ...queues]) deps.wakeups.wake(topic)
  })
  return {
    name,
    submitters,
    queueAfter(second) {
      if (carriers.length < 2) return undefined
      const hadIt = (position: number): boolean => second.tried.includes(carriers[position]!.name)
      const last = Math.max(0, positions.findLast(hadIt) ?? 0)
      const others = positionsFrom(last + 1, last, carriers.length)
      const next = choice ? choice.next(second, [last]) : others.find((position) => !hadIt(position))
      return queues[next ?? carriers.length]
    },
    async stop() {
      endWatch?.()
      await Promise.all([...submitters, ...retry_workers].map((one) => one.stop()))
    },
  }
}

/** The positions from one to before another; after the last one follows the first. */
function positionsFrom(first: number, end: number, count: number): number[] {
  const length = (end - first + count) % count
  return Array.from({ length }, (_, n) => (first + n) % count)
}

/** Resolves when everything these carriers have answered by now is recorded. */
export function untilRecorded(
  submitters: ReadonlyMap<string, readonly Submitter[]>,
  carriers: ReadonlySet<string>,
): Promise<unknown> {
  const own = [...submitters.values()].flat().filter((submitter) => submitter.carriers.some((one) => carriers.has(one)))
  return Promise.all(own.map((submitter) => submitter.untilWritten()))
}
