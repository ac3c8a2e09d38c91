import type { Db, Tx } from '../db/connect.ts'
import type { HookKind } from './schema.ts'

export type HookRow = {
  name: string
  organisation_id: string
  kind: HookKind
  secret: string
  created_datetime: string
}

/** Serializes the creation of hooks in an organisation. */
export async function lockHooks(tx: Tx, organisation_id: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('hooks ' || ${organisation_id}::text, 0))`
}

export async function insertHook(tx: Tx, hook: Omit<HookRow, 'created_datetime'>): Promise<HookRow> {
  const [row] = await tx<HookRow[]>`
    insert into hooks (name, organisation_id, kind, secret)
    values (${hook.name}, ${hook.organisation_id}, ${hook.kind}, ${hook.secret})
    returning name, organisation_id, kind, secret, created_datetime`
  if (!row) throw new Error('a hook was not stored')
  return row
}

export async function findHook(db: Db, name: string): Promise<HookRow | undefined> {
  const [row] = await db<HookRow[]>`
    select name, organisation_id, kind, secret, created_datetime from hooks where name = ${name}`
  return row
}

export async function listHooks(sql: Db | Tx, organisation_id: string): Promise<HookRow[]> {
  return sql<HookRow[]>`
    select name, organisation_id, kind, secret, created_datetime from hooks
    where organisation_id = ${organisation_id} order by created_datetime desc, name`
}

export async function deleteHook(db: Db, organisation_id: string, name: string): Promise<boolean> {
  const gone = await db`delete from hooks where organisation_id = ${organisation_id} and name = ${name}`
  return gone.count === 1
}
