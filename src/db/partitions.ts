import type { Db } from './connect.ts'
import { LOCKS } from './locks.ts'
import { deleteExpired } from './retention.ts'
import { transaction } from './transaction.ts'

/** The tables that are partitioned by month, by the time that their id contains. */
const TABLES = [
  { name: 'messages', id: 'id', settings: '' },
  { name: 'deliveries', id: 'message_id', settings: ' with (fillfactor = 50)' },
]
const NAMES = TABLES.map(({ name }) => name)
const MONTHS_AHEAD = 2
/** Creating or dropping a partition blocks readers of the table: give up after this time and retry later. */
const LOCK_TIMEOUT = '2s'

type NewPartition = { partition: string; parent: string; begin_id: string; end_id: string }

/** Creates the partitions of the coming months and returns their names. */
export async function makePartitions(db: Db): Promise<string[]> {
  const made: string[] = []
  for (const { partition, parent, begin_id, end_id } of await findMissing(db)) {
    const settings = TABLES.find(({ name }) => name === parent)?.settings ?? ''
    const change = `create table ${partition} partition of ${parent} for values from ('${begin_id}') to ('${end_id}')${settings}`
    if (await changeAlone(db, partition, { exists: false }, change)) made.push(partition)
  }
  return made
}

/** Months whose first id no partition contains. */
async function findMissing(db: Db): Promise<NewPartition[]> {
  return db<NewPartition[]>`
    select parent || to_char(month, '_YYYY_MM') as partition, parent,
      first_id_at(month) as begin_id, first_id_at(month + interval '1 month') as end_id
    from unnest(${NAMES}::text[]) as wanted (parent)
    cross join (
      select date_trunc('month', now(), 'UTC') + n * interval '1 month' as month
      from generate_series(0, ${MONTHS_AHEAD}::integer) as n
    ) months
    where not exists (
      select from pg_inherits
      join pg_class partition on partition.oid = inhrelid
      cross join lateral regexp_match(pg_get_expr(relpartbound, partition.oid), 'FROM [(]''([0-9a-f-]+)''[)]') as lower_bound
      cross join lateral partition_bounds(partition.relname) as bounds
      where inhparent = parent::regclass and upper_bound > first_id_at(month)
        and (lower_bound is null or lower_bound[1]::uuid <= first_id_at(month))
    )`
}

/**
 * Drops the partitions whose rows are all older than this, and returns their names. Rows of the default partition, such as
 * old messages of a restored organisation, are deleted.
 */
export async function dropPartitions(db: Db, older_than_days: number): Promise<string[]> {
  const old = await db<{ partition: string }[]>`
    select partition.relname as partition
    from unnest(${NAMES}::text[]) as wanted (parent)
    join pg_inherits on inhparent = parent::regclass
    join pg_class partition on partition.oid = inhrelid
    cross join lateral partition_bounds(partition.relname) as bounds
    where upper_bound <= first_id_at(now() - ${older_than_days} * interval '1 day')`
  const dropped: string[] = []
  for (const { partition } of old) {
    if (await changeAlone(db, partition, { exists: true }, `drop table ${partition}`)) dropped.push(partition)
  }
  for (const { name, id } of TABLES) {
    await deleteExpired(db, { table: `${name}_later`, column: { uuid: id }, older_than: `${older_than_days} days` })
  }
  return dropped
}

/**
 * Changes one partition, in one process at a time; false if another process has done it or a backup is running. One
 * partition per transaction, because holding a lock on one parent while waiting for the other could deadlock with a
 * reader of both.
 */
async function changeAlone(db: Db, partition: string, expected: { exists: boolean }, change: string): Promise<boolean> {
  return transaction(db, async (tx) => {
    await tx.unsafe(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
    await tx`select pg_advisory_xact_lock(${LOCKS.partitions})`
    // A backup may run for hours, so this does not wait for it.
    const [stay] = await tx<{ free: boolean }[]>`select pg_try_advisory_xact_lock(${LOCKS.partitions_stay}) as free`
    if (!stay?.free) return false
    // Not to_regclass, which may have cached before the wait that there is no such table.
    const found = await tx`select 1 from pg_class where relname = ${partition} and pg_table_is_visible(oid)`
    if (found.length > 0 !== expected.exists) return false
    await tx.unsafe(change)
    return true
  })
}
