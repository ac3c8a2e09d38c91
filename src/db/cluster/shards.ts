import { codeOf } from '../../values/thrown.ts'
import type { Db } from '../connect.ts'
import type { ClusterNode } from './known-nodes.ts'
import { nodesOf } from './nodes.ts'

/** Who does not answer a look within this time, nor anything else we asked it, is taken to be away. */
const PATIENCE_MS = 3_000
/** Questions to one node at once; the others wait in line. */
const ASKED_AT_ONCE = 2
/** A piece has just been moved to another node, which is asked, too. */
const UNDEFINED_TABLE = '42P01'
/** So begin the codes of connections between nodes that fail; those of ours have others. */
const CONNECTION = '08'

/**
 * Asks every piece of a distributed table, all nodes at once, and gives the rows of those that answer: a statement over
 * all of them would fail with the first node that is away. Which nodes are away is learned from it. `query` has `%s` for
 * the piece and no values; numbers and text come as JSON has them.
 */
export async function askShards<Row>(db: Db, table: string, query: string): Promise<Row[]> {
  const nodes = await nodesOf(db)
  for (const node of nodes) if (node.is_silent && !isHeard(node)) node.is_away = true
  const answers = await Promise.all(
    nodes.filter(({ is_silent }) => !is_silent).map((node) => askNode<Row>(db, node, table, query)),
  )
  return answers.flat()
}

/** The same on one machine, where the table is whole. */
export async function askAll<Row>(db: Db, table: string, query: string): Promise<Row[]> {
  if (db.distributed) return askShards(db, table, query)
  const rows = await db.unsafe<{ row: Row }[]>(`select to_json(one) as row from (${query.replaceAll('%s', table)}) one`)
  return rows.map(({ row }) => row)
}

/** A moment as answers have it, for rows that come as JSON. */
export function answerMoment(expression: string): string {
  return `to_char(${expression} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')`
}

/** A node with more to do than it can is late, and not away. */
function isHeard({ heard_ms }: ClusterNode): boolean {
  return performance.now() - heard_ms < PATIENCE_MS
}

async function askNode<Row>(db: Db, node: ClusterNode, table: string, query: string): Promise<Row[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Row[]>((resolve) => {
    timer = setTimeout(() => {
      node.is_away = !isHeard(node)
      node.is_silent = true
      resolve([])
    }, PATIENCE_MS)
  })
  return Promise.race([answerOf<Row>(db, node, table, query), late]).finally(() => clearTimeout(timer))
}

async function answerOf<Row>(db: Db, node: ClusterNode, table: string, query: string): Promise<Row[]> {
  if (node.asked >= ASKED_AT_ONCE) await new Promise<void>((resolve) => node.line.push(resolve))
  if (node.is_silent) {
    node.line.shift()?.()
    return [] // whoever wanted to know has given up
  }
  node.asked += 1
  try {
    const rows = await db<{ row: Row }[]>`
      select ask_shards as row from ask_shards(${node.key}, ${table}, ${query})`
    node.is_away = false
    return rows.map(({ row }) => row)
  } catch (fault) {
    if (codeOf(fault) === UNDEFINED_TABLE) return []
    if (codeOf(fault)?.startsWith(CONNECTION)) node.is_away = true
    else if (!node.is_silent) throw fault
    return []
  } finally {
    node.is_silent = false
    node.asked -= 1
    node.line.shift()?.()
  }
}
