import type { Channel, MessageCarrier } from '../../carriers/message-carrier.ts'
import type { Worker } from '../../queue/worker.ts'
import { startRetryWorker, type DispatchDeps } from './retry-worker.ts'
import { startSubmitter, type Submitter } from './submitter.ts'
import { routeQueues } from './queues.ts'
import type { OnUnknown } from '../settings.ts'

export type Route = {
  name: string
  /** In the order in which they are tried. */
  carriers: readonly MessageCarrier[]
  channel?: Channel | undefined
  rate_per_s?: number | undefined
  on_unknown?: OnUnknown | undefined
  /** A carrier that has been down this long is passed over. */
  failover_after_s?: number | undefined
}

const FAILOVER_AFTER_S = 30

/**
 * A queue for each carrier: messages wait in the first one's, and one that a carrier refuses moves to the next one's.
 * So only a process that can hand messages to a carrier claims what waits for it. While a carrier is down for long,
 * those behind it also serve its queue. A message only ever moves forward, so none comes to the same carrier twice. What
 * is new waits in the intake, for the first carrier and whoever stands in for it.
 */
export function startRoute(
  deps: DispatchDeps,
  route: Route,
): Worker & { name: string; submitters: readonly Submitter[] } {
  const { name, carriers, channel, rate_per_s, on_unknown } = route
  const failover_after_ms = 1_000 * (route.failover_after_s ?? FAILOVER_AFTER_S)
  const queues = routeQueues(
    name,
    carriers.map((carrier) => carrier.name),
  )
  const isDown = (carrier: MessageCarrier): boolean => (carrier.downFor?.() ?? 0) >= failover_after_ms

  const feeds: Submitter[] = []
  const lines = carriers.flatMap((carrier, n) =>
    queues.slice(0, n + 1).map((queue, served) => {
      const before = carriers.slice(served, n)
      const room = (): number => (before.every(isDown) ? (carrier.room?.() ?? Infinity) : 0)
      const shared = served < carriers.length - 1
      const target = { queue, carrier, channel, rate_per_s, on_unknown, next_queue: queues[n + 1], shared, room }
      if (served === 0) feeds.push(startSubmitter(deps, { ...target, route: name }))
      return startRetryWorker(deps, target)
    }),
  )
  return {
    name,
    submitters: feeds,
    async stop() {
      await Promise.all([...feeds, ...lines].map((line) => line.stop()))
    },
  }
}

/** What these carriers have answered by now is written down. */
export function untilRecorded(
  submitters: ReadonlyMap<string, readonly Submitter[]>,
  carriers: ReadonlySet<string>,
): Promise<unknown> {
  const feeds = [...submitters.values()].flat().filter(({ carrier }) => carriers.has(carrier))
  return Promise.all(feeds.map((feed) => feed.untilWritten()))
}
