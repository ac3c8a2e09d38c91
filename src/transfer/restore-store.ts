import type { Tx } from '../db/connect.ts'
import { quoted, STAGED, type Table } from './stage-store.ts'

/** What is said of one kind of conflict. */
const SHOWN_CONFLICTS = 5

type UniqueIndex = { table: string; columns: (string | null)[]; condition: string | null }

/**
 * Keys of staged rows that exist in the installation, a sentence for each kind. Keys that begin with the organisation cannot
 * conflict unless rows of it are there, which is checked as well.
 */
export async function findConflicts(
  tx: Tx,
  schema: string,
  tables: readonly Table[],
  ids: readonly string[],
): Promise<string[]> {
  const found: string[] = []
  for (const index of await listUniqueIndexes(tx, schema, tables)) {
    const values = await findTaken(tx, schema, index)
    if (values.length === 0) continue
    const more = values.length > SHOWN_CONFLICTS ? ', …' : ''
    found.push(`${index.table}: ${index.columns.join(', ')} ${values.slice(0, SHOWN_CONFLICTS).join(', ')}${more}`)
  }
  const exists = found.some((one) => one.startsWith('organisations: '))
  for (const { name } of tables.filter(({ columns }) => !exists && columns.includes('organisation_id'))) {
    if (await hasRows(tx, schema, name, ids)) found.push(`${name}: rows of this organisation`)
  }
  return found
}

async function listUniqueIndexes(tx: Tx, schema: string, tables: readonly Table[]): Promise<UniqueIndex[]> {
  const names = tables.map(({ name }) => name)
  const indexes = await tx<UniqueIndex[]>`
    select relname as table, pg_get_expr(indpred, indrelid) as condition,
      array(
        select attname::text from unnest(indkey::smallint[]) with ordinality as key (number, place)
        left join pg_attribute on attrelid = indrelid and attnum = key.number
        order by place
      ) as columns
    from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = ${schema}::regnamespace and relname = any (${names}::text[]) and indisunique
    order by 1, 3`
  return indexes.filter(({ columns }) => !columns.includes('organisation_id'))
}

async function findTaken(tx: Tx, schema: string, { table, columns, condition }: UniqueIndex): Promise<string[]> {
  const keys = columns.flatMap((column) => (column === null ? [] : [quoted(column)]))
  if (keys.length < columns.length) throw new Error(`a unique index of ${table} has an expression`)
  const among = (place: string) =>
    `(select * from ${quoted(place)}.${quoted(table)}${condition === null ? '' : ` where ${condition}`})`
  const rows = await tx.unsafe<{ value: string }[]>(
    `select concat_ws(' ', ${keys.map((key) => `known.${key}`).join(', ')}) as value
    from ${among(STAGED)} given join ${among(schema)} known
      on ${keys.map((key) => `given.${key} = known.${key}`).join(' and ')}
    order by 1 limit ${SHOWN_CONFLICTS + 1}`,
  )
  return rows.map(({ value }) => value)
}

async function hasRows(tx: Tx, schema: string, table: string, ids: readonly string[]): Promise<boolean> {
  const [row] = await tx.unsafe<{ found: boolean }[]>(
    `select exists (
      select from ${quoted(schema)}.${quoted(table)}
      where organisation_id in (${ids.map((id) => `'${id}'`).join(', ')})
    ) as found`,
  )
  return row?.found === true
}

/** Whether the staged organisations are the one of the file and its test twin, and nothing else. */
export async function isPair(tx: Tx, { id, test_id }: { id: string; test_id: string }): Promise<boolean> {
  const [row] = await tx<{ rows: number; own: number }[]>`
    select count(*)::integer as rows,
      (count(*) filter (where (id = ${id} and mode = 'live' and twin_of is null)
        or (id = ${test_id} and mode = 'test' and twin_of = ${id})))::integer as own
    from pg_temp.organisations`
  return row?.rows === 2 && row.own === 2
}

/**
 * Gives the staged jobs numbers of this installation: all else is identified by UUIDs. A callback refers to the job of its
 * batch.
 */
export async function renumberJobs(tx: Tx, schema: string): Promise<void> {
  await tx`alter table pg_temp.jobs add column number bigint`
  await tx`update pg_temp.jobs set number = nextval(pg_get_serial_sequence(${`${quoted(schema)}.jobs`}, 'id'))`
  await tx`
    update pg_temp.callbacks set burst_id = found.number
    from (
      select callbacks.ctid as place, jobs.number
      from pg_temp.callbacks left join pg_temp.jobs on jobs.id = callbacks.burst_id
      where callbacks.burst_id is not null
    ) found
    where callbacks.ctid = found.place`
  await tx`update pg_temp.jobs set id = number`
}

/**
 * Drops staged links whose codes are in use here, and returns how many. A code is too short to be unique in the world, and the
 * text that contains it was sent.
 */
export async function dropTakenLinks(tx: Tx, schema: string): Promise<number> {
  const dropped = await tx.unsafe(
    `delete from pg_temp.links given using ${quoted(schema)}.links known where known.code = given.code`,
  )
  return dropped.count
}

/** Reports have another day: those overdue were passed by the periodic scan, which ends their deliveries as unknown. */
export async function postponeReports(tx: Tx): Promise<void> {
  await tx`
    update pg_temp.submissions set report_due = greatest(report_due, clock_timestamp() + interval '1 day')`
}

export type WaitingWork = { messages: number; scheduled: number; routes: string[] }

/** What waits in the staged tables: recipients that were accepted, those that are scheduled, and the routes of both. */
export async function measureWaiting(tx: Tx): Promise<WaitingWork> {
  const [row] = await tx<WaitingWork[]>`
    with waiting as (
      select route, sum(size - submitted) as messages, 0 as scheduled from pg_temp.intake group by route
      union all
      select route, count(*) filter (where status = 'queued'), count(*) filter (where status = 'scheduled')
      from pg_temp.deliveries where status in ('queued', 'scheduled') group by route
    )
    select coalesce(sum(messages), 0)::integer as messages, coalesce(sum(scheduled), 0)::integer as scheduled,
      coalesce(array_agg(distinct route order by route), '{}') as routes
    from waiting`
  return row ?? { messages: 0, scheduled: 0, routes: [] }
}

export async function listAccounts(tx: Tx): Promise<string[]> {
  const rows = await tx<{ system_id: string }[]>`select system_id from pg_temp.smpp_accounts order by 1`
  return rows.map(({ system_id }) => system_id)
}

export async function analyze(tx: Tx, { name }: Table): Promise<void> {
  await tx.unsafe(`analyze ${quoted(STAGED)}.${quoted(name)}`)
}
