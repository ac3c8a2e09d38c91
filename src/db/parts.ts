import type { Db, Tx } from './connect.ts'
import { transaction } from './transaction.ts'

/** The tables that lie in parts by month, each by the id that carries the time. */
const TABLES = [
  { name: 'messages', settings: '' },
  { name: 'deliveries', settings: ' with (fillfactor = 50)' },
]
const MONTHS_AHEAD = 2
/** Who cannot have the table within this time tries again later: making and dropping a part must hold up nobody. */
const LOCK_TIMEOUT = '2s'
const LOCK = 7_264_265 // any number, the same in every process

/** Makes the parts of the coming months. */
export async function makeParts(db: Db): Promise<string[]> {
  return alone(db, async (tx) => {
    const missing = await tx<{ part: string; parent: string; begin_id: string; end_id: string }[]>`
      select parent || to_char(month, '_YYYY_MM') as part, parent,
        first_id_at(month) as begin_id, first_id_at(month + interval '1 month') as end_id
      from unnest(${TABLES.map(({ name }) => name)}::text[]) as wanted (parent)
      cross join (
        select date_trunc('month', now(), 'UTC') + n * interval '1 month' as month
        from generate_series(0, ${MONTHS_AHEAD}::integer) as n
      ) months
      where to_regclass(parent || to_char(month, '_YYYY_MM')) is null
        and not exists (select from part_bounds(parent || '_first') where upper_bound > first_id_at(month))`
    for (const { part, parent, begin_id, end_id } of missing) {
      const settings = TABLES.find(({ name }) => name === parent)?.settings ?? ''
      await tx.unsafe(
        `create table ${part} partition of ${parent} for values from ('${begin_id}') to ('${end_id}')${settings}`,
      )
    }
    return missing.map(({ part }) => part)
  })
}

/** Drops the parts that hold nothing younger than so many days. */
export async function dropParts(db: Db, older_than_days: number): Promise<string[]> {
  return alone(db, async (tx) => {
    const old = await tx<{ part: string }[]>`
      select part.relname as part
      from unnest(${TABLES.map(({ name }) => name)}::text[]) as wanted (parent)
      join pg_inherits on inhparent = parent::regclass
      join pg_class part on part.oid = inhrelid
      cross join lateral part_bounds(part.relname) as bounds
      where upper_bound <= first_id_at(now() - ${older_than_days} * interval '1 day')`
    for (const { part } of old) await tx.unsafe(`drop table ${part}`)
    return old.map(({ part }) => part)
  })
}

/** One process at a time, and not for long. */
async function alone<T>(db: Db, work: (tx: Tx) => Promise<T[]>): Promise<T[]> {
  return transaction(db, async (tx) => {
    const [row] = await tx<{ mine: boolean }[]>`select pg_try_advisory_xact_lock(${LOCK}) as mine`
    if (!row?.mine) return []
    await tx.unsafe(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
    return work(tx)
  })
}
