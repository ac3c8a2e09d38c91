import type { Db, Tx } from '../../db/connect.ts'
import { rows } from '../../db/rows.ts'
import { keysToFind } from '../cell.ts'

/** Texts by column number, as `cells` and `keys` keep them. */
export type ByNumber = Record<string, string>

export type StoredRow = {
  id: string
  cells: ByNumber
  created_datetime: string
  updated_datetime: string | null
}

/** A row to be written. */
export type RowDraft = { id: string; cells: ByNumber; keys: ByNumber }

export async function findRow(db: Db, organisation_id: string, id: string): Promise<StoredRow | undefined> {
  const [row] = await db<StoredRow[]>`
    select id, cells, created_datetime, updated_datetime
    from contact_rows where organisation_id = ${organisation_id} and id = ${id}`
  return row
}

/** Locks rows, in the order of their ids. */
export async function lockRows(tx: Tx, organisation_id: string, ids: readonly string[]) {
  return tx<(StoredRow & { keys: ByNumber })[]>`
    select id, cells, keys, created_datetime, updated_datetime
    from contact_rows where organisation_id = ${organisation_id} and id = any (${ids}::uuid[])
    order by id for update`
}

export async function insertRows(tx: Tx, organisation_id: string, drafts: readonly RowDraft[]): Promise<string> {
  const [made] = await tx<{ created_datetime: string }[]>`
    with made as (
      insert into contact_rows (organisation_id, id, cells, keys)
      select ${organisation_id}, id, cells, keys
      from ${rows(tx, drafts, 'draft', { id: 'uuid', cells: 'jsonb', keys: 'jsonb' })}
    )
    select now() as created_datetime`
  await insertCells(tx, organisation_id, drafts)
  return made?.created_datetime ?? ''
}

/** Replaces rows that this transaction has locked; `before` are their previous keys. */
export async function updateRows(
  tx: Tx,
  organisation_id: string,
  drafts: readonly (RowDraft & { before: ByNumber })[],
): Promise<string> {
  const [changed] = await tx<{ updated_datetime: string }[]>`
    with changed as (
      update contact_rows set cells = draft.cells, keys = draft.keys, updated_datetime = now()
      from ${rows(tx, drafts, 'draft', { id: 'uuid', cells: 'jsonb', keys: 'jsonb' })}
      where contact_rows.organisation_id = ${organisation_id} and contact_rows.id = draft.id
      returning updated_datetime
    )
    select updated_datetime from changed limit 1`
  const gone = drafts.map(({ id, keys, before }) => ({ id, keys: difference(before, keys) }))
  const come = drafts.map(({ id, keys, before }) => ({ id, keys: difference(keys, before) }))
  await deleteCells(tx, organisation_id, gone)
  await insertCells(tx, organisation_id, come)
  return changed?.updated_datetime ?? ''
}

export async function deleteRow(tx: Tx, organisation_id: string, id: string): Promise<boolean> {
  return (await deleteRows(tx, organisation_id, [id])) === 1
}

export async function deleteRows(tx: Tx, organisation_id: string, ids: readonly string[]): Promise<number> {
  const gone = await tx<{ id: string; keys: ByNumber }[]>`
    delete from contact_rows where organisation_id = ${organisation_id} and id = any (${ids}::uuid[])
    returning id, keys`
  await deleteCells(tx, organisation_id, gone)
  return gone.length
}

/** Restores deleted rows with their timestamps; an existing row is left unchanged. Returns how many were restored. */
export async function restoreRows(
  tx: Tx,
  organisation_id: string,
  deleted: readonly (RowDraft & Pick<StoredRow, 'created_datetime' | 'updated_datetime'>)[],
): Promise<number> {
  const columns = {
    id: 'uuid',
    cells: 'jsonb',
    keys: 'jsonb',
    created_datetime: 'timestamptz',
    updated_datetime: 'timestamptz',
  } as const
  const made = await tx<{ id: string }[]>`
    insert into contact_rows (organisation_id, id, cells, keys, created_datetime, updated_datetime)
    select ${organisation_id}, id, cells, keys, created_datetime, updated_datetime
    from ${rows(tx, deleted, 'draft', columns)}
    on conflict (organisation_id, id) do nothing
    returning id`
  const ids = new Set(made.map(({ id }) => id))
  await insertCells(
    tx,
    organisation_id,
    deleted.filter(({ id }) => ids.has(id)),
  )
  return made.length
}

/** Clears up to `limit` cells of a deleted column; returns how many it cleared. */
export async function forgetCells(db: Db, organisation_id: string, number: number, limit: number): Promise<number> {
  const [row] = await db<{ cleared: number }[]>`
    with part as (
      select row_id, left(key, 200) as key from contact_cells
      where organisation_id = ${organisation_id} and number = ${number}
      order by left(key, 200), row_id limit ${limit}
    ),
    cleared as (
      update contact_rows set cells = cells - ${String(number)}::text, keys = keys - ${String(number)}::text
      where organisation_id = ${organisation_id} and id in (select row_id from part)
    ),
    gone as (
      delete from contact_cells using part
      where contact_cells.organisation_id = ${organisation_id} and contact_cells.number = ${number}
        and left(contact_cells.key, 200) = part.key and contact_cells.row_id = part.row_id
      returning 1
    )
    select count(*)::integer as cleared from gone`
  return row?.cleared ?? 0
}

function difference(keys: ByNumber, others: ByNumber): ByNumber {
  return Object.fromEntries(Object.entries(keys).filter(([number, key]) => others[number] !== key))
}

type Keyed = { id: string; keys: ByNumber }

function lines(keyed: readonly Keyed[]): { number: number; row_id: string; key: string }[] {
  return keyed.flatMap(({ id, keys }) =>
    Object.entries(keys).flatMap(([number, whole]) =>
      keysToFind(whole).map((key) => ({ number: Number(number), row_id: id, key })),
    ),
  )
}

export async function insertCells(tx: Tx, organisation_id: string, keyed: readonly Keyed[]): Promise<void> {
  const cells = lines(keyed)
  if (cells.length === 0) return
  await tx`
    insert into contact_cells (organisation_id, number, row_id, key)
    select ${organisation_id}, number, row_id, key
    from ${rows(tx, cells, 'cell', { number: 'smallint', row_id: 'uuid', key: 'text' })}`
}

async function deleteCells(tx: Tx, organisation_id: string, keyed: readonly Keyed[]): Promise<void> {
  const cells = lines(keyed)
  if (cells.length === 0) return
  await tx`
    delete from contact_cells
    using ${rows(tx, cells, 'gone', { number: 'smallint', row_id: 'uuid', key: 'text' })}
    where contact_cells.organisation_id = ${organisation_id} and contact_cells.number = gone.number
      and left(contact_cells.key, 200) = left(gone.key collate "C", 200) and contact_cells.row_id = gone.row_id`
}
