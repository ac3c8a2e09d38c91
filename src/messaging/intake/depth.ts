import type { Db } from '../../db/connect.ts'
import type { Log } from '../../values/log.ts'
import { Refusal } from '../../values/refusal.ts'
import type { IntakeSettings } from '../settings.ts'
import { measureIntake } from './poll-store.ts'

/** How much waits in the intake. Whoever accepts looks here first. */
export type IntakeDepth = {
  /** Why so many more are not accepted: they would be too many, of the organisation or of all. */
  refusalOf(organisation_id: string, recipients: number): Refusal | undefined
  /** They were accepted and wait: until the next look they are counted here. */
  add(organisation_id: string, recipients: number): void
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 2_000
const COME_BACK_S = 10

/**
 * Knows the depth from a look now and then, and from what this process has accepted since. So the limits are passed by
 * what other processes accept between two looks, and by no more.
 */
export function watchDepth(
  { db, log }: { db: Db; log: Log },
  { recipients: limit, recipients_per_organisation: own_limit }: IntakeSettings,
): IntakeDepth {
  let waiting = new Map<string, number>()
  let total = 0
  let looking = Promise.resolve()

  async function look(): Promise<void> {
    const rows = await measureIntake(db)
    waiting = new Map(rows.map((row) => [row.organisation_id, row.waiting]))
    total = rows.reduce((sum, row) => sum + row.waiting, 0)
  }

  const timer = setInterval(() => {
    looking = looking.then(() =>
      look().catch((fault: unknown) => log.warn({ err: fault }, 'measuring the intake failed')),
    )
  }, LOOK_EVERY_MS)
  timer.unref()

  return {
    refusalOf(organisation_id, recipients) {
      if ((waiting.get(organisation_id) ?? 0) + recipients > own_limit) {
        const sentence = 'Too many of your messages wait to be handed over. Please come back when some are.'
        return new Refusal('too_many_requests', sentence, [], COME_BACK_S)
      }
      if (total + recipients > limit) {
        const sentence = 'Too many messages wait to be handed over. Please come back.'
        return new Refusal('unavailable', sentence, [], COME_BACK_S)
      }
      return undefined
    },
    add(organisation_id, recipients) {
      waiting.set(organisation_id, (waiting.get(organisation_id) ?? 0) + recipients)
      total += recipients
    },
    async stop() {
      clearInterval(timer)
      await looking
    },
  }
}
