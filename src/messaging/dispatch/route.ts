import type { Channel, MessageCarrier } from '../../carriers/message-carrier.ts'
import type { Worker } from '../../queue/worker.ts'
import type { OnUnknown } from '../settings.ts'
import type { Pauses } from '../pauses/watch.ts'
import { intakeTopic, routeQueues } from './queues.ts'
import { startRetryWorker, type DispatchDeps } from './retry-worker.ts'
import { startSubmitter, type Submitter } from './submitter.ts'

export type Route = {
  name: string
  /** In the order in which they are tried. */
  carriers: readonly MessageCarrier[]
  channel?: Channel | undefined
  rate_per_s?: number | undefined
  on_unknown?: OnUnknown | undefined
  /** A carrier that has been down for this long is skipped. */
  failover_after_s?: number | undefined
  /** What operators have paused. */
  pauses?: Pauses | undefined
}

const FAILOVER_AFTER_S = 30

/**
 * Starts the submitters and retry workers of a route. Each carrier has a queue: retries wait in that of the first carrier,
 * and a message that a carrier rejects moves to the queue of the next. So only a process with a working connection to a
 * carrier claims what is queued for it. While a carrier is down for long, the carriers after it also serve its queue. A
 * message only moves forward, so that no carrier gets it a second time. New messages wait in the intake, for the first
 * carrier and those that replace it.
 *
 * A carrier that an operator has paused counts as down; one that drains, too, immediately and for new messages only.
 */
export function startRoute(
  deps: DispatchDeps,
  route: Route,
): Worker & { name: string; submitters: readonly Submitter[] } {
  const { name, carriers, channel, rate_per_s, on_unknown, pauses } = route
  const failover_after_ms = 1_000 * (route.failover_after_s ?? FAILOVER_AFTER_S)
  const queues = routeQueues(
    name,
    carriers.map((carrier) => carrier.name),
  )
  const downFor = (carrier: MessageCarrier): number =>
    Math.max(carrier.downFor?.() ?? 0, pauses?.downFor(carrier.name) ?? 0)
  const isDown = (carrier: MessageCarrier): boolean => downFor(carrier) >= failover_after_ms

  /** Draining holds back new messages only. */
  function isPaused(carrier: MessageCarrier, is_new: boolean): boolean {
    const modes = [pauses?.modeOf('route', name), pauses?.modeOf('carrier', carrier.name)]
    return modes.includes('paused') || (is_new && modes.includes('draining'))
  }

  const submitters: Submitter[] = []
  const retry_workers = carriers.flatMap((carrier, n) =>
    queues.slice(0, n + 1).map((queue, served) => {
      const before = carriers.slice(served, n)
      const capacityFor = (is_new: boolean) => (): number =>
        before.every(isDown) && !isPaused(carrier, is_new) ? (carrier.freeCapacity?.() ?? Infinity) : 0
      const shared = served < carriers.length - 1
      const target = { queue, carrier, channel, rate_per_s, on_unknown, next_queue: queues[n + 1], shared }
      if (served === 0) {
        const isHeld = (): boolean => isPaused(carrier, true)
        submitters.push(
          startSubmitter(deps, {
            ...target,
            route: name,
            capacity: capacityFor(true),
            downFor: () => (isHeld() ? Infinity : downFor(carrier)),
          }),
        )
      }
      return startRetryWorker(deps, { ...target, capacity: capacityFor(false) })
    }),
  )
  const endWatch = pauses?.onChange(() => {
    for (const topic of [intakeTopic(name), ...queues]) deps.wakeups.wake(topic)
  })
  return {
    name,
    submitters,
    async stop() {
      endWatch?.()
      await Promise.all([...submitters, ...retry_workers].map((one) => one.stop()))
    },
  }
}

/** Resolves when everything these carriers have answered by now is recorded. */
export function untilRecorded(
  submitters: ReadonlyMap<string, readonly Submitter[]>,
  carriers: ReadonlySet<string>,
): Promise<unknown> {
  const own = [...submitters.values()].flat().filter(({ carrier }) => carriers.has(carrier))
  return Promise.all(own.map((submitter) => submitter.untilWritten()))
}
