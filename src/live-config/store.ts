import type { Tx } from '../db/connect.ts'
import type { Sql } from '../db/sql.ts'
import type { EntryKind, EntrySettings } from './schema.ts'

export type EntryRow = {
  kind: EntryKind
  name: string
  position: number
  /** With placeholders for secrets. */
  settings: EntrySettings
  /** Sealed. */
  secrets: string | null
  version: bigint
  changed_by: string
  changed_datetime: string
}

/** In the order in which they apply. */
export async function listRows(sql: Sql): Promise<EntryRow[]> {
  return sql<EntryRow[]>`
    select kind, name, position, settings, secrets, version, changed_by, changed_datetime
    from configured_entries order by kind, position, name`
}

/** Changes wait for each other, because each is validated together with all other entries. */
export async function lockRows(tx: Tx): Promise<void> {
  await tx`lock table configured_entries in share row exclusive mode`
}

export type NewRow = Omit<EntryRow, 'changed_datetime'>

/** Adds an entry, or replaces that of the same name. */
export async function saveRow(tx: Tx, row: NewRow): Promise<void> {
  await tx`
    insert into configured_entries (kind, name, position, settings, secrets, version, changed_by)
    values (${row.kind}, ${row.name}, ${row.position}, ${JSON.stringify(row.settings)}::text::json, ${row.secrets},
      ${row.version}, ${row.changed_by})
    on conflict (kind, name) do update
    set position = excluded.position, settings = excluded.settings, secrets = excluded.secrets,
      version = excluded.version, changed_by = excluded.changed_by, changed_datetime = now()`
}

/** Its version is not raised: an editor of the entry has missed nothing. */
export async function moveRow(tx: Tx, { kind, name, position }: Pick<EntryRow, 'kind' | 'name' | 'position'>) {
  await tx`update configured_entries set position = ${position} where kind = ${kind} and name = ${name}`
}

export async function deleteRow(tx: Tx, { kind, name }: Pick<EntryRow, 'kind' | 'name'>): Promise<void> {
  await tx`delete from configured_entries where kind = ${kind} and name = ${name}`
}
