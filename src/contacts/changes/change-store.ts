import type { Db, Tx } from '../../db/connect.ts'
import { rows } from '../../db/rows.ts'
import type { Sql } from '../../db/sql.ts'
import type { SavedQuery } from '../query/scroll.ts'
import type { ByNumber, StoredRow } from '../rows/row-store.ts'
import { UNDO_S, type ChangeAction, type ChangeStatus } from './schema.ts'

export type ChangeRow = {
  id: string
  user_id: string | null
  action: ChangeAction
  number: number | null
  value: string | null
  key: string | null
  query: SavedQuery | null
  row_ids: string[]
  status: ChangeStatus
  after_id: string | null
  place: number
  rows: number
  restored: number
  not_restored: number
  fault: string | null
  undo_until: string | null
  /** Whether the undo window is open, by the clock of the database. */
  in_time: boolean
  created_datetime: string
  updated_datetime: string | null
}

export async function insertChange(
  tx: Tx,
  organisation_id: string,
  change: Pick<ChangeRow, 'id' | 'user_id' | 'action' | 'number' | 'value' | 'key' | 'query' | 'row_ids'>,
): Promise<void> {
  const query = change.query === null ? null : JSON.stringify(change.query)
  await tx`
    insert into contact_changes (organisation_id, id, user_id, action, number, value, key, query, row_ids)
    values (${organisation_id}, ${change.id}, ${change.user_id}, ${change.action}, ${change.number}, ${change.value},
      ${change.key}, ${query}::text::jsonb, ${change.row_ids}::uuid[])`
}

export async function findChange(db: Db, organisation_id: string, id: string): Promise<ChangeRow | undefined> {
  const [row] = await db<ChangeRow[]>`
    select id, user_id, action, number, value, key, query, row_ids, status, after_id, place, rows, restored,
      not_restored, fault, undo_until, coalesce(undo_until > now(), false) as in_time, created_datetime,
      updated_datetime
    from contact_changes where organisation_id = ${organisation_id} and id = ${id}`
  return row
}

/** Locks a change. Its holder stores the next step, if the change still is where that step begins. */
export async function lockChange(tx: Tx, organisation_id: string, id: string) {
  const [row] = await tx<Pick<ChangeRow, 'status' | 'after_id' | 'place'>[]>`
    select status, after_id, place from contact_changes
    where organisation_id = ${organisation_id} and id = ${id} for update`
  return row
}

export async function countRunning(tx: Tx, organisation_id: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from contact_changes
    where organisation_id = ${organisation_id} and status in ('running', 'undoing')`
  return row?.count ?? 0
}

/** A later change of the same user ends the undo window of the earlier ones. Only the counts of a final change are kept. */
export async function closeEarlier(tx: Tx, organisation_id: string, user_id: string | null): Promise<void> {
  await tx`
    update contact_changes
    set status = 'final', undo_until = null, ${cleared(tx)}
    where organisation_id = ${organisation_id} and status = 'done' and user_id is not distinct from ${user_id}::uuid`
}

export async function recordStep(
  tx: Tx,
  organisation_id: string,
  id: string,
  step: { after_id: string | null; place: number; rows: number },
): Promise<void> {
  await tx`
    update contact_changes
    set after_id = ${step.after_id}, place = ${step.place}, rows = rows + ${step.rows}, updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id}`
}

export async function recordRestored(
  tx: Tx,
  organisation_id: string,
  id: string,
  step: { restored: number; not_restored: number },
): Promise<void> {
  await tx`
    update contact_changes
    set restored = restored + ${step.restored}, not_restored = not_restored + ${step.not_restored},
      updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id}`
}

/** The undo window opens when the last row is written. */
export async function endChange(tx: Tx, organisation_id: string, id: string, fault: string | null): Promise<void> {
  await tx`
    update contact_changes
    set status = 'done', fault = ${fault}, undo_until = now() + ${UNDO_S} * interval '1 second',
      updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id} and status = 'running'`
}

/** False if the undo window is closed, or another request began the undo first. */
export async function beginUndo(tx: Tx, organisation_id: string, id: string): Promise<boolean> {
  const begun = await tx`
    update contact_changes set status = 'undoing', undo_until = null, updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id} and status = 'done' and undo_until > now()`
  return begun.count === 1
}

export async function endUndo(tx: Tx, organisation_id: string, id: string): Promise<void> {
  await tx`
    update contact_changes
    set status = 'undone', updated_datetime = now(), ${cleared(tx)}
    where organisation_id = ${organisation_id} and id = ${id} and status = 'undoing'`
}

/** Makes a change final, unless its undo window is open. */
export async function closeChange(db: Db, organisation_id: string, id: string): Promise<void> {
  await db`
    update contact_changes
    set status = 'final', undo_until = null, ${cleared(db)}
    where organisation_id = ${organisation_id} and id = ${id} and status = 'done' and undo_until <= now()`
}

/** The previous content of a changed or deleted row. */
export type Before = Omit<StoredRow, 'id'> & { row_id: string; keys: ByNumber }

export async function insertBefore(tx: Tx, organisation_id: string, change_id: string, before: readonly Before[]) {
  if (before.length === 0) return
  const columns = {
    row_id: 'uuid',
    cells: 'jsonb',
    keys: 'jsonb',
    created_datetime: 'timestamptz',
    updated_datetime: 'timestamptz',
  } as const
  await tx`
    insert into contact_change_rows
      (organisation_id, change_id, row_id, cells, keys, created_datetime, updated_datetime)
    select ${organisation_id}, ${change_id}, row_id, cells, keys, created_datetime, updated_datetime
    from ${rows(tx, before, 'before', columns)}`
}

export async function takeBefore(tx: Tx, organisation_id: string, change_id: string, limit: number): Promise<Before[]> {
  return tx<Before[]>`
    ${deleteBefore(tx, organisation_id, change_id, limit)}
    returning row_id, cells, keys, created_datetime, updated_datetime`
}

export async function forgetBefore(db: Db, organisation_id: string, change_id: string, limit: number): Promise<number> {
  const deleted = await db`${deleteBefore(db, organisation_id, change_id, limit)}`
  return deleted.count
}

function deleteBefore(sql: Sql, organisation_id: string, change_id: string, limit: number) {
  return sql`
    delete from contact_change_rows
    where organisation_id = ${organisation_id} and change_id = ${change_id} and row_id in (
      select row_id from contact_change_rows
      where organisation_id = ${organisation_id} and change_id = ${change_id} order by row_id limit ${limit}
    )`
}

function cleared(sql: Sql) {
  return sql`value = null, key = null, query = null, row_ids = '{}'`
}
