import type { Db } from '../src/db/connect.ts'

/** Row versions of a table since the database began; `in_place`: updates that touched no index (HOT). */
export type TableCount = { name: string; inserted: number; updated: number; deleted: number; in_place: number }

/** A place in the log as PostgreSQL writes it, and in bytes; writing transactions so far. */
export type LogRead = { log_position: string; log_bytes: number; transactions: number }

/** An idle connection reports its counters within ten seconds. */
const REPORTED_WITHIN_MS = 11_000
const POLL_INTERVAL_MS = 500
const LIMIT_MS = 120_000
/** Leases and the like are written by the clock, whether or not there are messages. */
const BY_THE_CLOCK = 100

/** The counts of all tables once they no longer change, except for periodic writes, for as long as PostgreSQL may defer counters. */
export async function settledTables(db: Db): Promise<TableCount[]> {
  const began = performance.now()
  let known = await countTables(db)
  let since = performance.now()
  while (performance.now() - since < REPORTED_WITHIN_MS) {
    if (performance.now() - began > LIMIT_MS) throw new Error('the counters keep changing')
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
    const now = await countTables(db)
    if (totalOf(now) - totalOf(known) < BY_THE_CLOCK) continue
    known = now
    since = performance.now()
  }
  return countTables(db)
}

function totalOf(tables: readonly TableCount[]): number {
  return tables.reduce((sum, { inserted, updated, deleted }) => sum + inserted + updated + deleted, 0)
}

/** What was written between two counts. */
export function readTables(before: readonly TableCount[], after: readonly TableCount[]): TableCount[] {
  const first = new Map(before.map((table) => [table.name, table]))
  return after.map(({ name, inserted, updated, deleted, in_place }) => {
    const old = first.get(name)
    return {
      name,
      inserted: inserted - (old?.inserted ?? 0),
      updated: updated - (old?.updated ?? 0),
      deleted: deleted - (old?.deleted ?? 0),
      in_place: in_place - (old?.in_place ?? 0),
    }
  })
}

/** Parts of a table count as the table; long values, which lie in a table beside it (TOAST), by themselves. */
async function countTables(db: Db): Promise<TableCount[]> {
  return db<TableCount[]>`
    select coalesce(pg_partition_root(own.oid), own.oid)::regclass
        || case when stat.relid = own.oid then '' else ', pieces of long values' end as name,
      sum(n_tup_ins)::float8 as inserted, sum(n_tup_upd)::float8 as updated, sum(n_tup_del)::float8 as deleted,
      sum(n_tup_hot_upd)::float8 as in_place
    from pg_stat_all_tables stat
    join pg_class own on stat.relid in (own.oid, own.reltoastrelid) and own.relnamespace = 'public'::regnamespace
    group by 1
    order by 1`
}

/** How much of the log between two places are images of whole pages; undefined where PostgreSQL does not report it. */
export async function readLog(db: Db, from: string, to: string): Promise<{ image_bytes: number | undefined }> {
  try {
    await db`create extension if not exists pg_walinspect`
    const [row] = await db<{ image_bytes: number }[]>`
      select sum(fpi_size)::float8 as image_bytes from pg_get_wal_stats(${from}::pg_lsn, ${to}::pg_lsn)`
    return { image_bytes: row?.image_bytes }
  } catch {
    return { image_bytes: undefined } // an extension that is not everywhere, or a log that is gone by now
  }
}
