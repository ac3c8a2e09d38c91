import type { Db, Tx } from '../db/connect.ts'
import { prepare, type Query } from '../db/sql.ts'
import type { SpendingLimit } from '../values/money.ts'
import type { Scope } from './schema.ts'
import { callerColumns, withTraits, type Caller, type CallerRow } from './store.ts'

export type KeyRow = {
  id: string
  organisation_id: string
  mode: 'live' | 'test'
  hint: string
  name: string | null
  scopes: Scope[] | null
  expires_datetime: string | null
  revoked_datetime: string | null
  expired: boolean
  created_datetime: string
  last_used_datetime: string | null
  daily_spending_limit: bigint | null
  spends_as: string
}

const keyColumns = (sql: Db | Tx) => sql`
  api_keys.id, organisation_id, mode, hint, api_keys.name, scopes, last_used_datetime, expires_datetime,
  revoked_datetime, api_keys.created_datetime, coalesce(expires_datetime <= now(), false) as expired,
  daily_spending_limit, coalesce(spends_as, api_keys.id) as spends_as`

/** Inserts a key; an existing one, even a revoked one, is left unchanged. */
export async function insertKey(
  sql: Db | Tx,
  key: {
    id: string
    organisation_id: string
    key_hash: Buffer
    hint: string
    name: string | null
    scopes: readonly Scope[] | null
    expires_datetime: string | null
    daily_spending_limit?: bigint | null
    spends_as?: string | null
  },
): Promise<boolean> {
  const added = await sql`
    insert into api_keys (id, organisation_id, key_hash, hint, name, scopes, expires_datetime, daily_spending_limit,
      spends_as)
    values (${key.id}, ${key.organisation_id}, ${key.key_hash}, ${key.hint}, ${key.name},
      ${key.scopes}::text[], ${key.expires_datetime}::timestamptz, ${key.daily_spending_limit?.toString() ?? null}::bigint,
      ${key.spends_as ?? null}::uuid)
    on conflict (key_hash) do nothing`
  return added.count === 1
}

type KeyedRow = CallerRow & Pick<KeyRow, 'daily_spending_limit' | 'spends_as'>

function keyedColumns(db: Db): Query {
  return prepare(db`
    ${callerColumns(db)}, scopes, api_keys.id as key_id, daily_spending_limit, coalesce(spends_as, api_keys.id) as spends_as`)
}

function callerOf({ daily_spending_limit, spends_as, ...row }: KeyedRow): CallerRow {
  const { key_id } = row
  if (daily_spending_limit === null || key_id === null) return row
  return { ...row, spending_limit: { key_id, spends_as, daily: daily_spending_limit } }
}

/** The callers of active keys, by the hash of the key in hexadecimal; their traits are added by `withTraits`. */
export async function findCallers(db: Db, key_hashes: readonly string[]): Promise<Map<string, CallerRow>> {
  const rows = await prepare(db<(KeyedRow & { key_hash: string })[]>`
    select given.key_hash, ${keyedColumns(db)}
    from unnest(${key_hashes}::text[]) as given (key_hash)
    join api_keys on api_keys.key_hash = decode(given.key_hash, 'hex')
    join organisations on organisations.id = api_keys.organisation_id
    where revoked_datetime is null and (expires_datetime is null or expires_datetime > now())`)
  return new Map(rows.map(({ key_hash, ...row }) => [key_hash, callerOf(row)]))
}

/** The active keys of an organisation, newest first, up to a limit. */
export async function findActiveKeys(db: Db, organisation_id: string, limit: number): Promise<{ id: string }[]> {
  return db<{ id: string }[]>`
    select id from api_keys
    where organisation_id = ${organisation_id}
      and revoked_datetime is null
      and (expires_datetime is null or expires_datetime > now())
    order by id desc limit ${limit}`
}

/** The caller of a key, by the key's id. */
export async function findCallerByKey(db: Db, key_id: string): Promise<Caller | undefined> {
  const [row] = await db<KeyedRow[]>`
    select ${keyedColumns(db)}
    from api_keys join organisations on organisations.id = api_keys.organisation_id
    where api_keys.id = ${key_id}
      and revoked_datetime is null
      and (expires_datetime is null or expires_datetime > now())`
  return row && withTraits(db, callerOf(row))
}

export async function listKeys(db: Db, organisation_id: string): Promise<KeyRow[]> {
  return db<KeyRow[]>`
    select ${keyColumns(db)}
    from api_keys join organisations on organisations.id = organisation_id
    where organisation_id = ${organisation_id} or twin_of = ${organisation_id}
    order by api_keys.id`
}

/** Revokes a key of the organisation or of its test twin; false if there is no active key with this id. */
export async function revokeKey(db: Db | Tx, organisation_id: string, id: string): Promise<boolean> {
  const revoked = await db`
    update api_keys set revoked_datetime = now()
    where id = ${id} and revoked_datetime is null
      and organisation_id in (select o.id from organisations o where o.id = ${organisation_id} or o.twin_of = ${organisation_id})`
  return revoked.count === 1
}

/** Locks a key of the organisation or of its test twin. */
export async function lockKey(tx: Tx, organisation_id: string, id: string): Promise<KeyRow | undefined> {
  const [row] = await tx<KeyRow[]>`
    select ${keyColumns(tx)}
    from api_keys join organisations on organisations.id = organisation_id
    where api_keys.id = ${id} and (organisation_id = ${organisation_id} or twin_of = ${organisation_id})
    for update of api_keys`
  return row
}

/** Updates `last_used_datetime` unless another process did so recently. */
export async function noteKeyUsed(db: Db, id: string, once_in_s: number): Promise<void> {
  await db`
    update api_keys set last_used_datetime = now()
    where id = ${id}
      and (last_used_datetime is null or last_used_datetime < now() - ${once_in_s} * interval '1 s')`
}

/** Sets the expiry of a key, unless it expires earlier. */
export async function endKeyAfter(tx: Tx, id: string, hours: number): Promise<void> {
  await tx`
    update api_keys set expires_datetime = least(expires_datetime, now() + ${hours} * interval '1 hour')
    where id = ${id}`
}

/** What a key may spend per day; null: unlimited. */
export async function setSpendingLimit(tx: Tx, id: string, daily: bigint | null): Promise<void> {
  await tx`update api_keys set daily_spending_limit = ${daily?.toString() ?? null}::bigint where id = ${id}`
}

/** Whether another active key of the organisation or its twin may get a limit: their spending is part of the balance's row. */
export async function countLimitedKeys(tx: Tx, organisation_id: string): Promise<number> {
  const [row] = await tx<{ limited: number }[]>`
    select count(*)::integer as limited from api_keys
    where organisation_id in (select o.id from organisations o where o.id = ${organisation_id} or o.twin_of = ${organisation_id})
      and daily_spending_limit is not null and revoked_datetime is null
      and (expires_datetime is null or expires_datetime > now())`
  return row?.limited ?? 0
}

/** The limit of a key, whether or not the key is active. */
export async function findSpendingLimit(db: Db, key_id: string): Promise<SpendingLimit | null> {
  const [row] = await db<{ daily: bigint; spends_as: string }[]>`
    select daily_spending_limit as daily, coalesce(spends_as, id) as spends_as from api_keys
    where id = ${key_id} and daily_spending_limit is not null`
  return row ? { key_id, ...row } : null
}

/** What keys with a limit have spent today (UTC), by the key it is counted for. */
export async function readSpentToday(
  db: Db | Tx,
  organisation_ids: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db<{ spends_as: string; amount: bigint }[]>`
    select spends_as, amount
    from balances cross join lateral unnest(spent_keys, spent_amounts) as given (spends_as, amount)
    where organisation_id = any (${organisation_ids}::uuid[]) and spent_day >= (now() at time zone 'UTC')::date`
  return new Map(rows.map(({ spends_as, amount }) => [spends_as, amount]))
}

/** Marks that the organisation is notified today; undefined if it was. */
export async function markLimitNotified(tx: Tx, key_id: string) {
  const marked = await tx`
    update api_keys set limit_notified_day = (now() at time zone 'UTC')::date
    where id = ${key_id} and limit_notified_day is distinct from (now() at time zone 'UTC')::date`
  if (marked.count === 0) return undefined
  const [key] = await tx<{ hint: string; name: string | null; currency: string; moment: string }[]>`
    select hint, api_keys.name, currency, now() as moment
    from api_keys join organisations on organisations.id = organisation_id where api_keys.id = ${key_id}`
  return key
}
