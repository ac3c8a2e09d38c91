import type { Db, Tx } from '../connect.ts'
import { transaction } from '../transaction.ts'
import { distributeFunctions } from './functions.ts'
import { requireCluster } from './require-cluster.ts'
import { setOnNodes } from './settings.ts'
import { DISTRIBUTED, REFERENCE } from './tables.ts'

/** Called after each table, with the number of tables. */
export type ReportProgress = (table: string, done: number, total: number) => void

/**
 * Distributes the tables of a migrated database over the nodes of its cluster, with their rows. Each table is a separate
 * transaction, so an interrupted call can be repeated. Returns the tables that were not distributed before.
 */
export async function distribute(db: Db, onProgress: ReportProgress): Promise<string[]> {
  await requireCluster(db)
  await setOnNodes(db)
  await dropLedgerTriggers(db)
  const total = REFERENCE.length + DISTRIBUTED.length
  const known = await distributedTables(db)
  const missing: string[] = []
  for (const [n, table] of [...REFERENCE, ...DISTRIBUTED].entries()) {
    if (!known.has(table) && !missing.includes(table)) {
      missing.push(...(await transaction(db, (tx) => distributeTable(tx, table))))
    }
    onProgress(table, n + 1, total)
  }
  await transaction(db, distributeFunctions)
  return missing
}

/** Distributes tables that a later migration has created, in its transaction. */
export async function distributeNew(tx: Tx): Promise<void> {
  const known = await distributedTables(tx)
  for (const table of [...REFERENCE, ...DISTRIBUTED]) {
    if (known.has(table)) continue
    for (const one of await distributeTable(tx, table)) known.add(one)
  }
  await distributeFunctions(tx)
}

async function distributedTables(sql: Db | Tx): Promise<Set<string>> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
    where partmethod = 'h' or repmodel = 't'`
  return new Set(rows.map(({ name }) => name))
}

/**
 * Distributes a table, and with it those that refer to it: Citus deletes the local rows of a table only once no local table
 * refers to them. Returns the names of all of them.
 */
async function distributeTable(tx: Tx, table: string): Promise<string[]> {
  await tx.unsafe('set local statement_timeout = 0; set local client_min_messages = warning')
  // A referenced table must be copied to the nodes by the connection that created it.
  await tx.unsafe("set local citus.multi_shard_modify_mode = 'sequential'")
  if (REFERENCE.includes(table)) {
    await tx`select create_reference_table(${table})`
    return [table]
  }
  if (table === 'jobs') await keyByOrganisation(tx)
  await setReplicaIdentity(tx, table)
  const beside = table === DISTRIBUTED[0] ? 'default' : (DISTRIBUTED[0] ?? '')
  await tx`select create_distributed_table(${table}, 'organisation_id', colocate_with => ${beside})`
  const distributed = [table]
  for (const referring of await tablesReferringTo(tx, table))
    distributed.push(...(await distributeTable(tx, referring)))
  await tx`select truncate_local_data_after_distributing_table(${table}::regclass)`
  return distributed
}

async function tablesReferringTo(tx: Tx, table: string): Promise<string[]> {
  const rows = await tx<{ name: string }[]>`
    select distinct conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confrelid = ${table}::regclass and conrelid <> confrelid`
  return rows.map(({ name }) => name).filter((name) => DISTRIBUTED.includes(name))
}

/** Moving a shard while it is written to needs a replica identity: the primary key, or the whole row without one. */
async function setReplicaIdentity(tx: Tx, table: string): Promise<void> {
  const key = await tx`select 1 from pg_index where indrelid = ${table}::regclass and indisprimary`
  if (key.length === 0) await tx.unsafe(`alter table ${table} replica identity full`)
}

/**
 * A unique key of a distributed table must contain the organisation. Jobs are claimed per organisation and polled by
 * time.
 */
async function keyByOrganisation(tx: Tx): Promise<void> {
  await tx.unsafe(`
    alter table jobs drop constraint jobs_pkey, add primary key (organisation_id, id);
    drop index jobs_due;
    create index jobs_due on jobs (organisation_id, queue, priority, lane, run_at);
    create index jobs_by_time on jobs (run_at)`)
}

/**
 * Drops the ledger's triggers: they would query the cluster from within a node, which Citus rejects. The functions keep
 * the same rules, as they hold the lock of the balance; `gangan balance audit` verifies it.
 */
async function dropLedgerTriggers(db: Db): Promise<void> {
  const triggers = await db<{ name: string; table: string }[]>`
    select tgname as name, tgrelid::regclass::text as table from pg_trigger
    where tgrelid in ('ledger_lines'::regclass, 'balances'::regclass) and not tgisinternal
      and tgname in ('ledger_lines_continue', 'ledger_lines_stay', 'ledger_lines_keep_their_money', 'balance_has_its_line')`
  for (const { name, table } of triggers) await db.unsafe(`drop trigger ${name} on ${table}`)
}
