import { startPeriodicJob, type PeriodicJob } from '../values/concurrency/periodic-job.ts'
import { waitAtMost } from '../values/concurrency/wait-at-most.ts'
import type { Log } from '../values/log.ts'
import { claimProbes, claimSeeds, submitProbe, type SendDeps } from './send.ts'
import type { Seeds } from './seeds.ts'
import { closeAbandoned, type NewProbe } from './store.ts'

/** How often plans are polled. A probe that is some seconds late measures the same. */
const POLL_INTERVAL_MS = 5_000
/** Probes in flight of this process; while all are, no further ones are claimed. */
const MAX_IN_FLIGHT = 20
/** Longer than a carrier takes for an answer: the process that waited for it has ended. */
const ABANDONED_AFTER_S = 180
/** What has no answer by then becomes `unknown`. */
const STOP_GRACE_MS = 4_000

/**
 * Sends the probes that are due, and those with the texts of campaigns. Several processes may do so: each probe is claimed by
 * one.
 */
export function startProbes(
  deps: SendDeps & { log: Log; seeds: Pick<Seeds, 'drain'> },
  interval_ms = POLL_INTERVAL_MS,
): PeriodicJob {
  const in_flight = new Set<Promise<void>>()
  const onFailure = (err: unknown) => deps.log.warn({ err }, 'probes could not be sent')

  async function poll(): Promise<void> {
    await closeAbandoned(deps.db, ABANDONED_AFTER_S)
    const seeds = deps.seeds.drain()
    if (in_flight.size >= MAX_IN_FLIGHT) return
    submitAll(await claimProbes(deps, MAX_IN_FLIGHT - in_flight.size))
    submitAll(await claimSeeds(deps, seeds, MAX_IN_FLIGHT - in_flight.size))
  }

  function submitAll(probes: readonly NewProbe[]): void {
    for (const probe of probes) {
      const submitted = submitProbe(deps, probe).catch(onFailure)
      in_flight.add(submitted)
      void submitted.then(() => in_flight.delete(submitted))
    }
  }

  const job = startPeriodicJob(interval_ms, poll, onFailure)
  return {
    run: () => job.run(),
    async stop() {
      await job.stop()
      await waitAtMost(STOP_GRACE_MS, Promise.all(in_flight))
    },
  }
}
