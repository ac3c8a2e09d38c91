import type { Db, Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { isId } from '../values/id.ts'
import { moneyFromNumber, moneyToNumber } from '../values/money.ts'
import { present } from '../values/record.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { answerTime, readMoment } from '../values/time/moment.ts'
import {
  countLimitedKeys,
  endKeyAfter,
  listKeys,
  lockKey,
  readSpentToday,
  revokeKey,
  setSpendingLimit,
  type KeyRow,
} from './key-store.ts'
import { issueKey } from './keys.ts'
import type { IssuedKey, KeyBody, KeyChange, RotatedKey, ShownKey } from './schema.ts'
import { findOrganisation, type Caller } from './store.ts'

/** Records a change of keys in the same transaction. */
export type AlsoNote = (
  tx: Tx,
  deed: { action: string; subject: string; before?: Record<string, unknown>; after: Record<string, unknown> },
) => Promise<void>

/** The keys of an organisation and its test twin, whichever of the two is named; newest first. */
export async function findKeys(deps: { db: Db }, organisation_id: string): Promise<ShownKey[]> {
  const rows = await listKeys(deps.db, await ownerOf(deps.db, organisation_id))
  const limited = rows.filter((row) => row.daily_spending_limit !== null)
  const spent =
    limited.length === 0 ? NOTHING : await readSpentToday(deps.db, [...new Set(limited.map(ofOrganisation))])
  return rows.map((row) => shownKey(row, spent)).reverse()
}

export async function addKey(
  deps: { db: Db },
  organisation_id: string,
  body: Partial<KeyBody>,
  shape_faults: readonly Fault[],
  note: AlsoNote,
): Promise<IssuedKey> {
  const faults = [...shape_faults]
  const expires_datetime = readExpiry(body.expires_datetime, faults)
  const limit = readLimit(body.daily_spending_limit, faults)
  refuseIfFaulty(faults)
  const owner = await ownerOf(deps.db, organisation_id)
  return transaction(deps.db, async (tx) => {
    const options = {
      name: body.name ?? null,
      scopes: body.scopes ?? null,
      expires_datetime,
      daily_spending_limit: limit,
    }
    if (limit !== null) await refuseTooMany(tx, owner)
    const { id, key } = await issueKey(tx, owner, body.mode ?? 'test', options)
    const shown = await requireKey(tx, owner, id)
    await note(tx, { action: 'key.create', subject: id, after: { ...shown } })
    return { key: shown, secret: key }
  })
}

/** Issues a new key with the rights of the old one, which stays valid for a while. */
export async function rotateKey(
  deps: { db: Db },
  organisation_id: string,
  id: string,
  overlap_hours: number,
  note: AlsoNote,
): Promise<RotatedKey> {
  const owner = await ownerOf(deps.db, organisation_id)
  return transaction(deps.db, async (tx) => {
    const old = isId(id) ? await lockKey(tx, owner, id) : undefined
    if (!old || old.revoked_datetime !== null || old.expired) throw unknownKey()
    const { name, scopes, expires_datetime, daily_spending_limit, spends_as } = old
    const options = { name, scopes, expires_datetime, daily_spending_limit, spends_as }
    const issued = await issueKey(tx, owner, old.mode, options)
    await endKeyAfter(tx, old.id, overlap_hours)
    const shown = await requireKey(tx, owner, issued.id)
    const now_old = await requireKey(tx, owner, old.id)
    await note(tx, { action: 'key.rotate', subject: old.id, after: { key_id: issued.id, overlap_hours } })
    return { key: shown, secret: issued.key, old: now_old }
  })
}

/** What the key of a request may spend per day, and has spent; nothing without a limit. */
export async function findSpending(
  { db }: { db: Db },
  { organisation_id, spending_limit }: Pick<Caller, 'organisation_id' | 'spending_limit'>,
): Promise<{ daily_spending_limit?: number; spent_today?: number }> {
  if (!spending_limit) return {}
  const spent = (await readSpentToday(db, [organisation_id])).get(spending_limit.spends_as) ?? 0n
  return { daily_spending_limit: moneyToNumber(spending_limit.daily), spent_today: moneyToNumber(spent) }
}

/** Sets what a key may spend per day (UTC), or lifts the limit. It applies within a second in every process. */
export async function limitKey(
  deps: { db: Db },
  organisation_id: string,
  id: string,
  body: Partial<KeyChange>,
  shape_faults: readonly Fault[],
  note: AlsoNote,
): Promise<ShownKey> {
  const faults = [...shape_faults]
  const limit = readLimit(body.daily_spending_limit, faults)
  refuseIfFaulty(faults)
  const owner = await ownerOf(deps.db, organisation_id)
  return transaction(deps.db, async (tx) => {
    const key = isId(id) ? await lockKey(tx, owner, id) : undefined
    if (!key || key.revoked_datetime !== null || key.expired) throw unknownKey()
    if (limit !== null && key.daily_spending_limit === null) await refuseTooMany(tx, owner)
    await setSpendingLimit(tx, key.id, limit)
    const before = { daily_spending_limit: shownLimit(key.daily_spending_limit) }
    await note(tx, { action: 'key.limit', subject: key.id, before, after: { daily_spending_limit: shownLimit(limit) } })
    return requireKey(tx, owner, key.id)
  })
}

export async function endKey(deps: { db: Db }, organisation_id: string, id: string, note: AlsoNote): Promise<void> {
  const owner = await ownerOf(deps.db, organisation_id)
  await transaction(deps.db, async (tx) => {
    const key = isId(id) ? await lockKey(tx, owner, id) : undefined
    if (!key || !(await revokeKey(tx, owner, key.id))) throw unknownKey()
    await note(tx, { action: 'key.revoke', subject: key.id, after: { hint: key.hint } })
  })
}

/** The id of the live organisation, given it or its test twin. */
async function ownerOf(db: Db, organisation_id: string): Promise<string> {
  return (await findOrganisation(db, organisation_id))?.twin_of ?? organisation_id
}

async function requireKey(tx: Tx, owner: string, id: string): Promise<ShownKey> {
  const row = await lockKey(tx, owner, id)
  if (!row) throw new Error(`key ${id} does not exist`)
  return shownKey(row, row.daily_spending_limit === null ? NOTHING : await readSpentToday(tx, [row.organisation_id]))
}

const NOTHING: ReadonlyMap<string, bigint> = new Map()
const ofOrganisation = ({ organisation_id }: KeyRow): string => organisation_id
const shownLimit = (limit: bigint | null): number | null => (limit === null ? null : moneyToNumber(limit))

/** The spending of keys with a limit is part of the balance's row, which every charge writes. */
const MAX_LIMITED_KEYS = 50

async function refuseTooMany(tx: Tx, owner: string): Promise<void> {
  if ((await countLimitedKeys(tx, owner)) < MAX_LIMITED_KEYS) return
  throw new Refusal('conflict', `At most ${MAX_LIMITED_KEYS} active keys may have a spending limit.`)
}

/** Null: unlimited. A value that has the wrong type is reported as such. */
function readLimit(given: number | null | undefined, faults: Fault[]): bigint | null {
  if (typeof given !== 'number' || faults.some(({ field }) => field === 'daily_spending_limit')) return null
  const limit = moneyFromNumber(given)
  if (limit === undefined) {
    faults.push({ field: 'daily_spending_limit', message: 'At most four decimals.', type: 'invalid' })
  }
  return limit ?? null
}

function shownKey(row: KeyRow, spent: ReadonlyMap<string, bigint>): ShownKey {
  const limit = row.daily_spending_limit
  return {
    id: row.id,
    hint: row.hint,
    mode: row.mode,
    ...present('name', row.name),
    ...present('scopes', row.scopes),
    state: row.revoked_datetime !== null ? 'revoked' : row.expired ? 'expired' : 'active',
    ...present('expires_datetime', row.expires_datetime),
    ...present('revoked_datetime', row.revoked_datetime),
    created_datetime: row.created_datetime,
    ...present('last_used_datetime', row.last_used_datetime),
    ...(limit === null
      ? {}
      : {
          daily_spending_limit: moneyToNumber(limit),
          spent_today: moneyToNumber(spent.get(row.spends_as) ?? 0n),
        }),
  }
}

/** A date-time with an offset, or a date, whose start is meant. */
function readExpiry(given: unknown, faults: Fault[]): string | null {
  if (typeof given !== 'string') return null // absent, or its type is a fault already
  const field = 'expires_datetime'
  const at = readMoment(/^\d{4}-\d\d-\d\d$/.test(given) ? `${given}T00:00:00Z` : given)
  if (at === undefined) {
    faults.push({ field, message: 'This is not a date-time with an offset.', type: 'date_invalid' })
  } else if (at <= Date.now()) {
    faults.push({ field, message: 'This time is in the past.', type: 'expired' })
  }
  return at === undefined ? null : answerTime(at)
}

function unknownKey(): Refusal {
  return new Refusal('not_found', 'There is no such active key.')
}
