import type { Db, Tx } from '../db/connect.ts'
import { prepare } from '../db/sql.ts'
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
}

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
  },
): Promise<boolean> {
  const added = await sql`
    insert into api_keys (id, organisation_id, key_hash, hint, name, scopes, expires_datetime)
    values (${key.id}, ${key.organisation_id}, ${key.key_hash}, ${key.hint}, ${key.name},
      ${key.scopes}::text[], ${key.expires_datetime}::timestamptz)
    on conflict (key_hash) do nothing`
  return added.count === 1
}

/** The callers of active keys, by the hash of the key in hexadecimal; their traits are added by `withTraits`. */
export async function findCallers(db: Db, key_hashes: readonly string[]): Promise<Map<string, CallerRow>> {
  const rows = await prepare(db<(CallerRow & { key_hash: string })[]>`
    select given.key_hash, ${callerColumns(db)}, scopes, api_keys.id as key_id
    from unnest(${key_hashes}::text[]) as given (key_hash)
    join api_keys on api_keys.key_hash = decode(given.key_hash, 'hex')
    join organisations on organisations.id = api_keys.organisation_id
    where revoked_datetime is null and (expires_datetime is null or expires_datetime > now())`)
  return new Map(rows.map(({ key_hash, ...row }) => [key_hash, row]))
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
  const [row] = await db<CallerRow[]>`
    select ${callerColumns(db)}, scopes, api_keys.id as key_id
    from api_keys join organisations on organisations.id = api_keys.organisation_id
    where api_keys.id = ${key_id}
      and revoked_datetime is null
      and (expires_datetime is null or expires_datetime > now())`
  return row && withTraits(db, row)
}

export async function listKeys(db: Db, organisation_id: string): Promise<KeyRow[]> {
  return db<KeyRow[]>`
    select api_keys.id, organisation_id, mode, hint, api_keys.name, scopes, last_used_datetime,
      expires_datetime, revoked_datetime, api_keys.created_datetime, ${expired(db)}
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
    select api_keys.id, organisation_id, mode, hint, api_keys.name, scopes, last_used_datetime,
      expires_datetime, revoked_datetime, api_keys.created_datetime, ${expired(tx)}
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

function expired(sql: Db | Tx) {
  return sql`coalesce(expires_datetime <= now(), false) as expired`
}
