import { findReview } from '../airtime/review.ts'
import type { Db } from '../db/connect.ts'
import type { Finding } from './check.ts'
import { fillCount } from '../values/fill.ts'
import { countExpiringKeys, countWaitingSenders } from './store.ts'
import { levelOf, THRESHOLDS } from './thresholds.ts'
import { countInWords } from './units.ts'

/** In the sandbox messages are sent from senders that wait for a decision, too. */
export async function findSenders({ db, sandbox }: { db: Db; sandbox: boolean }): Promise<Finding[]> {
  if (sandbox) return []
  const { count, days } = await countWaitingSenders(db)
  if (count === 0) return [{ level: 'ok', summary: 'No sender waits for a decision.' }]
  const level = levelOf(THRESHOLDS.sender_waits, days)
  const summary = fillCount(
    count,
    '{n} sender is waiting for a decision, for {days}.',
    '{n} senders are waiting for a decision, the first for {days}.',
    { days: countInWords(Math.floor(days), 'day') },
  )
  return [
    { level, summary, ...(level === 'ok' ? {} : { advice: 'Decide: gangan senders, or the console (Senders).' }) },
  ]
}

export async function findKeys({ db }: { db: Db }): Promise<Finding> {
  const { count, days } = await countExpiringKeys(db, THRESHOLDS.key_left.warning)
  if (count === 0) return { level: 'ok', summary: 'No API key expires soon.' }
  return {
    level: 'warning',
    summary: fillCount(
      count,
      '{n} API key expires soon, in {days}.',
      '{n} API keys expire soon, the first in {days}.',
      { days: countInWords(Math.floor(days), 'day') },
    ),
    advice: 'Inform their organisations: each creates another key and replaces the old one.',
  }
}

export async function findAirtime({ db, sells_airtime }: { db: Db; sells_airtime: boolean }): Promise<Finding[]> {
  if (!sells_airtime) return []
  const { length } = await findReview({ db })
  if (length === 0) return [{ level: 'ok', summary: 'No airtime purchase is waiting for a decision.' }]
  return [
    {
      level: 'warning',
      summary: fillCount(
        length,
        '{n} airtime purchase is waiting for a decision.',
        '{n} airtime purchases are waiting for a decision.',
      ),
      advice: 'Ask the vendor by the reference and decide: gangan airtime review.',
    },
  ]
}
