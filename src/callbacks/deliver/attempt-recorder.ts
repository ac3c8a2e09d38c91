import { byLayout } from '../../db/layout.ts'
import { isDatabaseUnreachable } from '../../db/unreachable.ts'
import type { Db } from '../../db/connect.ts'
import type { Meters } from '../../observe/meters.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { makeRetryingBatchWriter, type RetryingBatchWriter } from '../../values/concurrency/batch-writer.ts'
import { groupBy } from '../../values/group.ts'
import type { Log } from '../../values/log.ts'
import type { Bursts } from './bursts.ts'
import { recordAttempts, type Attempt } from './deliver-store.ts'
import { announceMuted } from '../webhooks/muted-webhooks.ts'

/** An attempt, and when it ended; 0 before. */
export type EndedAttempt = Attempt & { ended_ms: number }

type Deps = { db: Db; wakeups: Wakeups; log: Log; meters: Meters; disable_after_days: number }

/** Outcomes within this time are recorded in one write. */
export const RECORD = { fill_ms: 20, items: 500 }
/** Organisations that share a write, and outcomes beyond which an organisation has its own. */
const SHARED = { keys: 500, weight_per_key: 64 }
const RETRIES = { first_ms: 100, longest_ms: 2_000 }

/**
 * Records attempts, by organisation. An outcome that cannot be recorded is kept and retried until the database is back:
 * otherwise the callback would be posted twice. One write at a time per organisation, so that a burst can be deleted
 * together with its last callback.
 */
export function makeAttemptRecorder(deps: Deps, bursts: Bursts): RetryingBatchWriter<EndedAttempt, void> {
  const shared = {
    ...SHARED,
    async write(groups: readonly { items: readonly EndedAttempt[] }[]): Promise<never[][]> {
      const attempts = groups.flatMap(({ items }) => items)
      await record(deps, bursts, attempts)
      return groups.map(() => [])
    },
  }
  return makeRetryingBatchWriter<EndedAttempt>(
    RECORD,
    {
      ...RETRIES,
      shouldRetry: isDatabaseUnreachable,
      onRetry(organisation_id, attempts, fault, failures) {
        if (failures > 1) return
        const details = { organisation_id, callbacks: attempts.length, err: fault }
        deps.log.warn(details, 'the outcomes of callbacks are recorded when the database is back')
      },
    },
    (_, attempts) => record(deps, bursts, attempts),
    isDatabaseUnreachable,
    byLayout(deps.db, { single_server: shared, cluster: undefined }),
  )
}

/** An attempt that is written a second time may have been recorded by the first write. */
async function record(deps: Deps, bursts: Bursts, attempts: readonly EndedAttempt[]): Promise<void> {
  const burst_ids: bigint[] = []
  for (const attempt of attempts) {
    if (attempt.burst_id !== null) burst_ids.push(attempt.burst_id)
    if (attempt.is_retry) attempt.waited_ms = Date.now() - attempt.ended_ms
  }
  const ended = bursts.endingWith(burst_ids)
  const recorded = recordAttempts(deps.db, attempts, ended, deps.disable_after_days)
  const disabled = await recorded.finally(() => {
    for (const attempt of attempts) attempt.is_retry = true
  })
  bursts.end(burst_ids)
  for (const { organisation_id, id, disabled_reason } of disabled) {
    deps.log.warn({ organisation_id, webhook_id: id, reason: disabled_reason }, 'a webhook was disabled')
  }
  if (disabled.length > 0) announceMuted(deps.wakeups)
  const outcomes = groupBy(attempts, ({ status, retry_ms }) => (retry_ms === null ? status : 'retry'))
  for (const [outcome, own] of outcomes) deps.meters.callbacks.inc({ outcome }, own.length)
}
