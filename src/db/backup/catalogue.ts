import type { Db, Tx } from '../connect.ts'
import { MARK } from './unfinished.ts'
import type { Partition } from './format.ts'

export type StoredTable = { name: string; columns: string[]; refers_to: string[]; bytes: number }

/** Written by `migrate`, or about this installation rather than its data. */
const LEFT_OUT = ['migrations', 'function_files', 'builds', 'backups', MARK]

/**
 * The tables of an installation, referenced tables first; partitions are part of their parent. Without unlogged tables
 * and generated columns.
 */
export async function listTables(sql: Db | Tx): Promise<StoredTable[]> {
  const tables = await sql<StoredTable[]>`
    select relname as name,
      (select array_agg(attname::text order by attnum) from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
      array(select confrelid::regclass::text from pg_constraint
        where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid) as refers_to,
      (select sum(pg_table_size(relid))::float8 from pg_partition_tree(pg_class.oid)) as bytes
    from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
      and relpersistence = 'p' and relname <> all (${LEFT_OUT}::text[])
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
    order by relname`
  return inOrder(tables.map((table) => ({ ...table, bytes: table.bytes ?? 0 })))
}

/**
 * Referenced tables come first. The ledger's trigger reads balances for each line, so these come before it; that a balance
 * has its line is checked at the end.
 */
function inOrder(tables: readonly StoredTable[]): StoredTable[] {
  const ordered = new Set<StoredTable>()
  const by_name = new Map(tables.map((table) => [table.name, table]))
  function place(table: StoredTable): void {
    if (ordered.has(table)) return
    const before = table.name === 'ledger_lines' ? [...table.refers_to, 'balances'] : table.refers_to
    for (const name of before) {
      const other = by_name.get(name)
      if (other) place(other)
    }
    ordered.add(table)
  }
  for (const table of tables) place(table)
  return [...ordered]
}

export async function listPartitions(sql: Db | Tx): Promise<Partition[]> {
  return sql<Partition[]>`
    select partition.relname as name, parent.relname as parent,
      pg_get_expr(partition.relpartbound, partition.oid) as bound,
      (select substring(option from 12)::integer from unnest(partition.reloptions) as option
        where option like 'fillfactor=%') as fillfactor
    from pg_inherits
    join pg_class partition on partition.oid = inhrelid
    join pg_class parent on parent.oid = inhparent
    where parent.relkind = 'p' and parent.relnamespace = current_schema()::regnamespace
    order by 1`
}

export async function listSequences(sql: Db | Tx): Promise<{ name: string; last_value: string }[]> {
  return sql<{ name: string; last_value: string }[]>`
    select sequencename as name, last_value::text from pg_sequences
    where schemaname = current_schema() and last_value is not null order by 1`
}

/** Whether the schema has no tables, views or sequences. */
export async function isEmptyDatabase(sql: Db | Tx): Promise<boolean> {
  const found = await sql`
    select 1 from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S', 'f')
      and relname <> ${MARK} and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
    limit 1`
  return found.length === 0
}

/** Recreates the partitions of the backup; the tables must be empty. */
export async function arrangePartitions(tx: Tx, wanted: readonly Partition[]): Promise<void> {
  const known = await listPartitions(tx)
  for (const { name, parent } of known) await tx.unsafe(`alter table "${parent}" detach partition "${name}"`)
  for (const { name } of known) {
    if (!wanted.some((one) => one.name === name)) await tx.unsafe(`drop table "${name}"`)
  }
  for (const { name, parent, bound, fillfactor } of wanted) {
    const is_known = known.some((one) => one.name === name)
    const settings = fillfactor === null ? '' : ` with (fillfactor = ${fillfactor})`
    await tx.unsafe(
      is_known
        ? `alter table "${parent}" attach partition "${name}" ${bound}`
        : `create table "${name}" partition of "${parent}" ${bound}${settings}`,
    )
  }
}
