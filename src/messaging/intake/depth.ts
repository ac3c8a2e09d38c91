import type { Db } from '../../db/connect.ts'
import { startPeriodicJob } from '../../values/concurrency/periodic-job.ts'
import type { Log } from '../../values/log.ts'
import { Refusal } from '../../values/refusal.ts'
import type { IntakeSettings } from '../settings.ts'
import { measureIntake } from './poll-store.ts'

/** The depth of the intake, checked before a message is accepted. */
export type IntakeDepth = {
  /** The refusal of this many more recipients, if they exceed the limit of the organisation or of all. */
  refusalOf(organisation_id: string, recipients: number): Refusal | undefined
  /** Counts accepted recipients until the next measurement. */
  add(organisation_id: string, recipients: number): void
  stop(): Promise<void>
}

const MEASURE_INTERVAL_MS = 2_000
const RETRY_AFTER_S = 10

/**
 * Measures the depth periodically and adds what this process has accepted since. So the limits can be exceeded only by what
 * is accepted between two measurements. An empty intake is measured again after a request asked for its depth.
 */
export function watchDepth(
  { db, log }: { db: Db; log: Log },
  { recipients: limit, recipients_per_organisation: own_limit }: IntakeSettings,
): IntakeDepth {
  let waiting = new Map<string, number>()
  let total = 0

  let is_asked = true

  async function measure(): Promise<void> {
    if (!is_asked && total === 0) return
    is_asked = false
    const rows = await measureIntake(db)
    waiting = new Map(rows.map((row) => [row.organisation_id, row.waiting]))
    total = rows.reduce((sum, row) => sum + row.waiting, 0)
  }

  const job = startPeriodicJob(MEASURE_INTERVAL_MS, measure, (fault) =>
    log.warn({ err: fault }, 'measuring the intake failed'),
  )

  return {
    refusalOf(organisation_id, recipients) {
      is_asked = true
      if ((waiting.get(organisation_id) ?? 0) + recipients > own_limit) {
        const sentence = 'Too many of your messages are waiting to be sent. Retry when some of them are.'
        return new Refusal('too_many_requests', sentence, [], RETRY_AFTER_S)
      }
      if (total + recipients > limit) {
        const sentence = 'Too many messages are waiting to be sent. Retry later.'
        return new Refusal('unavailable', sentence, [], RETRY_AFTER_S)
      }
      return undefined
    },
    add(organisation_id, recipients) {
      waiting.set(organisation_id, (waiting.get(organisation_id) ?? 0) + recipients)
      total += recipients
    },
    stop: () => job.stop(),
  }
}
