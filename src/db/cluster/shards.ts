import { codeOf } from '../../values/thrown.ts'
import type { Db } from '../connect.ts'
import type { ClusterNode } from './node-registry.ts'
import { nodesOf } from './nodes.ts'

/** A node that answers neither this query nor any other within this time counts as unreachable. */
const TIMEOUT_MS = 3_000
/** SQLSTATE of a shard that has just moved to another node, which is queried, too. */
const UNDEFINED_TABLE = '42P01'
/** SQLSTATE class of connections between nodes; failures of our own connections have other codes. */
const CONNECTION_EXCEPTION = '08'

/**
 * Runs a query on every shard of a distributed table, on all nodes concurrently, and returns the rows of the nodes that
 * respond: a distributed statement would fail with the first unreachable node. Updates the reachability of the nodes.
 * The query has `%s` for the table and no parameters; values come as JSON.
 */
export async function queryShards<Row>(db: Db, table: string, query: string): Promise<Row[]> {
  const nodes = await nodesOf(db)
  for (const node of nodes) if (node.is_unresponsive && !hasAnswered(node)) node.is_unreachable = true
  const answers = await Promise.all(
    nodes.filter(({ is_unresponsive }) => !is_unresponsive).map((node) => queryNode<Row>(db, node, table, query)),
  )
  return answers.flat()
}

/** Other queries were answered in time: an overloaded node is late, not unreachable. */
function hasAnswered({ answered_ms }: ClusterNode): boolean {
  return performance.now() - answered_ms < TIMEOUT_MS
}

async function queryNode<Row>(db: Db, node: ClusterNode, table: string, query: string): Promise<Row[]> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<Row[]>((resolve) => {
    timer = setTimeout(() => {
      node.is_unreachable = !hasAnswered(node)
      node.is_unresponsive = true
      resolve([])
    }, TIMEOUT_MS)
  })
  const rows = node.queries.run(() => readNode<Row>(db, node, table, query))
  return Promise.race([rows, timeout]).finally(() => clearTimeout(timer))
}

async function readNode<Row>(db: Db, node: ClusterNode, table: string, query: string): Promise<Row[]> {
  if (node.is_unresponsive) return [] // the caller has timed out while it waited
  try {
    const rows = await db<{ row: Row }[]>`
      select ask_shards as row from ask_shards(${node.key}, ${table}, ${query})`
    node.is_unreachable = false
    return rows.map(({ row }) => row)
  } catch (fault) {
    if (codeOf(fault) === UNDEFINED_TABLE) return []
    if (codeOf(fault)?.startsWith(CONNECTION_EXCEPTION)) node.is_unreachable = true
    else if (!node.is_unresponsive) throw fault
    return []
  } finally {
    node.is_unresponsive = false
  }
}
