import { nodeConnections } from './cluster/node-connections.ts'
import { areAllReachable, isUnreachable, requireReachable, unreachableNodes } from './cluster/nodes.ts'
import { queryShards } from './cluster/shards.ts'
import type { Db, Tx } from './connect.ts'

export { areAllReachable, isUnreachable, requireReachable, unreachableNodes }

/**
 * How the tables are placed: on a single server, or distributed by organisation over the nodes of a cluster (Citus, see
 * cluster/tables.ts). Modules use this interface; they do not ask which of the two it is. On a cluster a statement reads
 * or writes tables of one organisation, or tables on the coordinator, but not both.
 */
type Layout = {
  connectionsOf(db: Db, organisation_id: string): Db
  queryAllShards<Row>(db: Db, table: string, query: string): Promise<Row[]>
  batches<T>(items: readonly T[]): T[][]
}

const SINGLE_SERVER: Layout = {
  connectionsOf: (db) => db,
  async queryAllShards<Row>(db: Db, table: string, query: string): Promise<Row[]> {
    const text = `select to_json(one) as row from (${query.replaceAll('%s', table)}) one`
    return (await db.unsafe<{ row: Row }[]>(text)).map(({ row }) => row)
  },
  batches: (items) => (items.length > 0 ? [[...items]] : []),
}

const CLUSTER: Layout = {
  connectionsOf: nodeConnections,
  queryAllShards: queryShards,
  batches: (items) => items.map((item) => [item]),
}

const layoutOf = ({ distributed }: Pick<Db | Tx, 'distributed'>): Layout => (distributed ? CLUSTER : SINGLE_SERVER)

/** Connections for statements about one organisation: to its node, or those given. */
export function connectionsOf(db: Db, organisation_id: string): Db {
  return layoutOf(db).connectionsOf(db, organisation_id)
}

/**
 * Rows of a query over all organisations, without those of unreachable nodes. The query has `%s` for the table and no
 * parameters; values come as JSON.
 */
export async function queryAllShards<Row>(db: Db, table: string, query: string): Promise<Row[]> {
  return layoutOf(db).queryAllShards<Row>(db, table, query)
}

/** A timestamp in the format of the API, for rows that come as JSON. */
export function isoTimestamp(expression: string): string {
  return `to_char(${expression} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')`
}

/** Items of different organisations, one each, in the batches that one statement may write. */
export function batchesOf<T>(db: Db, items: readonly T[]): T[][] {
  return layoutOf(db).batches(items)
}

/** The variant of a statement for the layout of the database, where the two cannot be the same. */
export function byLayout<S, C>(sql: Pick<Db | Tx, 'distributed'>, variants: { single_server: S; cluster: C }): S | C {
  return sql.distributed ? variants.cluster : variants.single_server
}

/** Detects the layout. Once per process: a database is distributed while no process is connected. */
export async function detectLayout(db: Db): Promise<void> {
  const [row] = await db<{ known: boolean }[]>`select to_regclass('pg_dist_partition') is not null as known`
  if (!row?.known) return
  const tables = await db`
    select 1 from pg_dist_partition where logicalrelid = to_regclass('messages') and partmethod = 'h'`
  db.distributed = tables.length > 0
}
