import type { Db } from './connect.ts'
import { LOCKS } from './locks.ts'
import { transaction } from './transaction.ts'

/** The tables that lie in partitions by month, each by the id that carries the time. */
const TABLES = [
  { name: 'messages', settings: '' },
  { name: 'deliveries', settings: ' with (fillfactor = 50)' },
]
const MONTHS_AHEAD = 2
/** Who cannot have the table within this time tries again later: making and dropping a partition must hold up nobody. */
const LOCK_TIMEOUT = '2s'

/** Makes the partitions of the coming months. */
export async function makePartitions(db: Db): Promise<string[]> {
  const made: string[] = []
  for (const { partition, parent, begin_id, end_id } of await findMissing(db)) {
    const settings = TABLES.find(({ name }) => name === parent)?.settings ?? ''
    const change = `create table ${partition} partition of ${parent} for values from ('${begin_id}') to ('${end_id}')${settings}`
    if (await changeAlone(db, partition, { known: false }, change)) made.push(partition)
  }
  return made
}

async function findMissing(db: Db): Promise<{ partition: string; parent: string; begin_id: string; end_id: string }[]> {
  return db<{ partition: string; parent: string; begin_id: string; end_id: string }[]>`
    select parent || to_char(month, '_YYYY_MM') as partition, parent,
      first_id_at(month) as begin_id, first_id_at(month + interval '1 month') as end_id
    from unnest(${TABLES.map(({ name }) => name)}::text[]) as wanted (parent)
    cross join (
      select date_trunc('month', now(), 'UTC') + n * interval '1 month' as month
      from generate_series(0, ${MONTHS_AHEAD}::integer) as n
    ) months
    where to_regclass(parent || to_char(month, '_YYYY_MM')) is null
      and not exists (select from partition_bounds(parent || '_first') where upper_bound > first_id_at(month))`
}

/** Drops the partitions that hold nothing younger than so many days. */
export async function dropPartitions(db: Db, older_than_days: number): Promise<string[]> {
  const old = await db<{ partition: string }[]>`
    select partition.relname as partition
    from unnest(${TABLES.map(({ name }) => name)}::text[]) as wanted (parent)
    join pg_inherits on inhparent = parent::regclass
    join pg_class partition on partition.oid = inhrelid
    cross join lateral partition_bounds(partition.relname) as bounds
    where upper_bound <= first_id_at(now() - ${older_than_days} * interval '1 day')`
  const dropped: string[] = []
  for (const { partition } of old) {
    if (await changeAlone(db, partition, { known: true }, `drop table ${partition}`)) dropped.push(partition)
  }
  return dropped
}

/**
 * One process at a time, and not for long; false when another has done it, or none is to. One partition at a time, too: who held one
 * table and waited for the other could meet a reader who holds the other and waits for the one.
 */
async function changeAlone(db: Db, partition: string, expected: { known: boolean }, change: string): Promise<boolean> {
  return transaction(db, async (tx) => {
    await tx.unsafe(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
    await tx`select pg_advisory_xact_lock(${LOCKS.partitions})`
    // It waits for the next time, and not in everybody's way for hours.
    const [stay] = await tx<{ free: boolean }[]>`select pg_try_advisory_xact_lock(${LOCKS.partitions_stay}) as free`
    if (!stay?.free) return false
    // Not by to_regclass: it may remember from before the wait that there is no such table.
    const found = await tx`select 1 from pg_class where relname = ${partition} and pg_table_is_visible(oid)`
    if (found.length > 0 !== expected.known) return false
    await tx.unsafe(change)
    return true
  })
}
