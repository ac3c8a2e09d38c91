import type { Db } from '../connect.ts'
import { idArray } from '../array.ts'
import { knownNodeOf, makeNode, type ClusterNode } from './node-registry.ts'

/** Shards rarely move, and a query to the wrong node is forwarded by Citus or answered with no rows. */
const MAX_AGE_MS = 10_000
/** Random keys to find one per node. With thousands of nodes some are missed, and found by their organisations. */
const RANDOM_KEYS = 512

export function isRegistryOutdated({ nodes }: Pick<Db, 'nodes'>): boolean {
  return performance.now() - nodes.read_ms >= MAX_AGE_MS
}

/** The nodes that hold shards, read again when outdated. */
export async function nodesOf(db: Db): Promise<readonly ClusterNode[]> {
  if (!isRegistryOutdated(db)) return db.nodes.known
  const shards = await db<{ shard: bigint; name: string; host: string; port: number; group_id: number }[]>`
    select shardid as shard, nodename || ':' || nodeport as name, nodename as host, nodeport as port,
      groupid as group_id
    from pg_dist_shard
    join pg_dist_placement using (shardid)
    join pg_dist_node using (groupid)
    where logicalrelid = 'messages'::regclass and noderole = 'primary'`
  const named = new Map(shards.map((row) => [row.name, row]))
  const random = db`select gen_random_uuid() as key from generate_series(1, ${RANDOM_KEYS})`
  const keys = new Map((await findKeys(db, random)).map(({ name, key }) => [name, key]))
  if ([...named.keys()].some((name) => !keys.has(name))) {
    // A node may hold a single large organisation and nothing else.
    for (const { name, key } of await findKeys(db, db`select id as key from organisations`)) keys.set(name, key)
  }
  const before = new Map(db.nodes.known.map((node) => [node.name, node]))
  db.nodes.known = [...named.values()].flatMap(({ name, host, port, group_id }) => {
    const key = keys.get(name)
    if (key === undefined) return []
    const node = before.get(name) ?? makeNode({ name, host, port, group_id, key })
    Object.assign(node, { key, group_id })
    return [node]
  })
  const known = new Map(db.nodes.known.map((node) => [node.name, node]))
  db.nodes.node_of_shard.clear()
  for (const { shard, name } of shards) {
    const node = known.get(name)
    if (node) db.nodes.node_of_shard.set(String(shard), node)
  }
  db.nodes.read_ms = performance.now()
  return db.nodes.known
}

/** One of the candidate keys for each node that has any. */
async function findKeys(db: Db, candidates: ReturnType<Db>): Promise<{ name: string; key: string }[]> {
  // Materialized: otherwise Citus computes the shard of a key once per shard, which takes half a second.
  return db<{ name: string; key: string }[]>`
    with candidate as materialized (
      select key, get_shard_id_for_distribution_column('messages', key) as shardid from (${candidates}) given
    )
    select distinct on (name) nodename || ':' || nodeport as name, key
    from candidate
    join pg_dist_placement using (shardid)
    join pg_dist_node using (groupid)
    where noderole = 'primary'
    order by name`
}

/** Looks up the shards of all wanted organisations, in one query at a time. */
export async function lookUpShards(db: Db): Promise<void> {
  const { nodes } = db
  nodes.lookup ??= (async () => {
    await nodesOf(db)
    while (nodes.wanted.size > 0) await readShards(db)
  })()
    .catch(() => {}) // the coordinator is unreachable, as the caller's own statement will report; the next call retries
    .finally(() => (nodes.lookup = undefined))
  return nodes.lookup
}

async function readShards(db: Db): Promise<void> {
  const { wanted, shard_of } = db.nodes
  const ids = [...wanted]
  const rows = await db<{ id: string; shard: bigint }[]>`
    select id, get_shard_id_for_distribution_column('messages', id) as shard from unnest(${idArray(ids)}::uuid[]) as id`
  for (const { id, shard } of rows) shard_of.set(id, String(shard))
  for (const id of ids) wanted.delete(id)
}

/** The nodes that do not respond; none on a single server. */
export function unreachableNodes(db: Pick<Db, 'nodes'>): string[] {
  return db.nodes.known.filter(({ is_unreachable }) => is_unreachable).map(({ name }) => name)
}

export function areAllReachable(db: Pick<Db, 'nodes'>): boolean {
  return !db.nodes.known.some(({ is_unreachable }) => is_unreachable)
}

/** Whether the node of an organisation is known to be unreachable. Costs nothing while all nodes respond. */
export async function isUnreachable(db: Db, organisation_id: string): Promise<boolean> {
  if (areAllReachable(db)) return false
  if (!knownNodeOf(db, organisation_id)) {
    db.nodes.wanted.add(organisation_id)
    await lookUpShards(db)
  }
  return knownNodeOf(db, organisation_id)?.is_unreachable ?? false
}

/** Fails like a lost connection if the organisation's node is unreachable, instead of waiting for its timeout. */
export async function requireReachable(db: Db, organisation_id: string): Promise<void> {
  if (await isUnreachable(db, organisation_id)) {
    throw Object.assign(new Error('The node that holds the organisation does not respond.'), { code: '08006' })
  }
}
