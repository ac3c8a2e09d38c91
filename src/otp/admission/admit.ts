import { isDatabaseUnreachable } from '../../db/unreachable.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import type { Meters } from '../../observe/meters.ts'
import { makeKeyedBatchWriter } from '../../values/concurrency/batch-writer.ts'
import type { Log } from '../../values/log.ts'
import { Refusal, refuseIfFaulty } from '../../values/refusal.ts'
import { countAdmitted, lockTraffic, uncount, writeGuard, type Entry } from './admit-store.ts'
import { countriesOf } from './country.ts'
import { checkLimits, SLOT_S, type Slot, type Verdict } from './limits.ts'
import type { OtpSettings } from '../schema.ts'

/** Enforces the sending limits. They do not apply in the sandbox and to test organisations. */
export type Admission = {
  /** Throws a refusal if a limit is reached; undefined if the limits do not apply. */
  admit(
    sender: { organisation_id: string; mode: 'live' | 'test' },
    otp: { otp_id: string; recipient: string },
  ): Promise<Admitted | undefined>
}

export type Admitted = {
  counted_slot: string
  /** Reverts the counts of an OTP that was not sent. */
  release(): Promise<void>
}

type Outcome = { slot_s: number; refused: Verdict['refused'] }
type Deps = { db: Db; log: Log; meters: Meters; sandbox: boolean; otp_settings: OtpSettings }

const BATCH = { items: 256 }
const LAST_DIGITS = 4

/** Checks the requests of an organisation in batches, each in one transaction under the organisation's lock. */
export function makeAdmission(deps: Deps): Admission {
  const check = makeKeyedBatchWriter<Entry, Outcome>(
    BATCH,
    (organisation_id, entries) =>
      transaction(deps.db, (tx) => checkEntries(tx, deps.otp_settings, organisation_id, entries)),
    isDatabaseUnreachable,
  )

  return {
    async admit({ organisation_id, mode }, { otp_id, recipient }) {
      if (deps.sandbox || mode === 'test') return undefined
      const countries = countriesOf(recipient)
      requireCountry(deps.otp_settings.countries, countries)
      const entry = { otp_id, recipient, prefix: recipient.slice(0, -LAST_DIGITS), country: countries[0] ?? '' }
      const { slot_s, refused } = await check(organisation_id, entry)
      if (refused) {
        deps.meters.otps.inc({ event: 'limited' })
        throw tooMany(refused)
      }
      return {
        counted_slot: new Date(slot_s * 1_000).toISOString(),
        release: () =>
          uncount(deps.db, organisation_id, entry, slot_s).catch((fault: unknown) => {
            deps.log.warn({ err: fault }, 'an OTP that was not sent remains counted')
          }),
      }
    },
  }
}

async function checkEntries(
  tx: Tx,
  { limits, guard }: OtpSettings,
  organisation_id: string,
  entries: readonly Entry[],
): Promise<Outcome[]> {
  const { now_s, numbers, counters, guards } = await lockTraffic(tx, organisation_id, entries, guard.window_minutes)
  const slot_s = Math.floor(now_s / SLOT_S) * SLOT_S
  const admitted: Entry[] = []
  const touched = new Map<string, Verdict['guard']>()
  const outcomes = entries.map((entry): Outcome => {
    const { recipient, prefix, country } = entry
    const number = listOf(numbers, recipient)
    const slots = {
      prefix: listOf(counters, `prefix ${prefix}`),
      country: listOf(counters, `country ${country}`),
      organisation: listOf(counters, 'organisation '),
    }
    const verdict = checkLimits(limits, guard, { now_s, number, ...slots, guard: guards.get(prefix) })
    if (verdict.guard || guards.has(prefix)) touched.set(prefix, verdict.guard)
    if (verdict.guard) guards.set(prefix, verdict.guard)
    else guards.delete(prefix)
    if (!verdict.refused) {
      number.push(now_s)
      for (const list of Object.values(slots)) addOne(list, slot_s)
      admitted.push(entry)
    }
    return { slot_s, refused: verdict.refused }
  })
  await Promise.all([
    countAdmitted(tx, organisation_id, admitted, now_s, slot_s),
    writeGuard(tx, organisation_id, touched),
  ])
  return outcomes
}

/** The list of that key, created if missing. */
function listOf<T>(lists: Map<string, T[]>, key: string): T[] {
  const known = lists.get(key)
  if (known) return known
  const list: T[] = []
  lists.set(key, list)
  return list
}

function addOne(slots: Slot[], slot_s: number): void {
  const newest = slots.at(-1)
  if (newest?.slot_s === slot_s) newest.sent += 1
  else slots.push({ slot_s, sent: 1, verified: 0 })
}

function requireCountry(allowed: readonly string[], countries: readonly string[]): void {
  if (allowed.length === 0 || countries.some((country) => allowed.includes(country))) return
  const message = 'OTPs are not sent to the country of this number.'
  refuseIfFaulty([{ field: 'recipient', message, type: 'invalid' }])
}

function tooMany({ reason, retry_after_s }: NonNullable<Verdict['refused']>): Refusal {
  return new Refusal('too_many_requests', `Too many OTPs: ${reason}.`, [], Math.max(1, retry_after_s))
}
