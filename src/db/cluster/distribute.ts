import type { Db, Tx } from '../connect.ts'
import { transaction } from '../transaction.ts'
import { distributeFunctions } from './functions.ts'
import { requireCluster } from './require-cluster.ts'
import { setOnNodes } from './settings.ts'
import { DISTRIBUTED, REFERENCE } from './tables.ts'

/** Told about each table that was laid out, with how many there are in all. */
export type TellProgress = (table: string, done: number, total: number) => void

/**
 * Lays the tables of a migrated database out over the nodes of its cluster, with what they hold. Each table is a
 * transaction of its own: broken off, it goes on where it was. Returns the tables that were not laid out before.
 */
export async function distribute(db: Db, tell: TellProgress): Promise<string[]> {
  await requireCluster(db)
  await setOnNodes(db)
  await dropGuards(db)
  const total = REFERENCE.length + DISTRIBUTED.length
  const known = await laidOut(db)
  const missing: string[] = []
  for (const [n, table] of [...REFERENCE, ...DISTRIBUTED].entries()) {
    if (!known.has(table)) {
      await transaction(db, (tx) => layOut(tx, table))
      missing.push(table)
    }
    tell(table, n + 1, total)
  }
  await transaction(db, distributeFunctions)
  return missing
}

/** The same for tables that a later migration has made, in its transaction. */
export async function distributeNew(tx: Tx): Promise<void> {
  const known = await laidOut(tx)
  for (const table of [...REFERENCE, ...DISTRIBUTED]) if (!known.has(table)) await layOut(tx, table)
  await distributeFunctions(tx)
}

async function laidOut(sql: Db | Tx): Promise<Set<string>> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
    where partmethod = 'h' or repmodel = 't'`
  return new Set(rows.map(({ name }) => name))
}

async function layOut(tx: Tx, table: string): Promise<void> {
  await tx.unsafe('set local statement_timeout = 0; set local client_min_messages = warning')
  // A table that others refer to is copied to every node by the connection that knows of it.
  await tx.unsafe("set local citus.multi_shard_modify_mode = 'sequential'")
  if (REFERENCE.includes(table)) await tx`select create_reference_table(${table})`
  else {
    if (table === 'jobs') await keyByOrganisation(tx)
    await nameRows(tx, table)
    const beside = table === DISTRIBUTED[0] ? 'default' : (DISTRIBUTED[0] ?? '')
    await tx`select create_distributed_table(${table}, 'organisation_id', colocate_with => ${beside})`
    await tx`select truncate_local_data_after_distributing_table(${table}::regclass)`
  }
}

/** ReceiveBuffer move while they are written to, which takes a name for every row: its key, or all of it where it has none. */
async function nameRows(tx: Tx, table: string): Promise<void> {
  const key = await tx`select 1 from pg_index where indrelid = ${table}::regclass and indisprimary`
  if (key.length === 0) await tx.unsafe(`alter table ${table} replica identity full`)
}

/**
 * What is unique on a node is unique everywhere only together with the organisation. Jobs are claimed for one
 * organisation at a time, and looked for by time.
 */
async function keyByOrganisation(tx: Tx): Promise<void> {
  await tx.unsafe(`
    alter table jobs drop constraint jobs_pkey, add primary key (organisation_id, id);
    drop index jobs_due;
    create index jobs_due on jobs (organisation_id, queue, priority, lane, run_at);
    create index jobs_by_time on jobs (run_at)`)
}

/**
 * Triggers would ask the cluster from within a node, which it refuses. What they guard the functions keep to, who hold
 * the balance while they write its line; `gangan balance audit` proves it.
 */
async function dropGuards(db: Db): Promise<void> {
  const guards = await db<{ name: string; table: string }[]>`
    select tgname as name, tgrelid::regclass::text as table from pg_trigger
    where tgrelid in ('ledger_lines'::regclass, 'balances'::regclass) and not tgisinternal
      and tgname in ('ledger_lines_continue', 'ledger_lines_stay', 'ledger_lines_keep_their_money', 'balance_has_its_line')`
  for (const { name, table } of guards) await db.unsafe(`drop trigger ${name} on ${table}`)
}
