import type { Db } from '../connect.ts'
import { idArray } from '../array.ts'
import { knownNodeOf, type ClusterNode } from './known-nodes.ts'

/** ReceiveBuffer move seldom, and what has moved shows by a question that nobody answers for a node. */
const READ_EVERY_MS = 10_000
/** So many keys are thrown; with thousands of nodes some may be missed, and are then found by their organisations. */
const KEYS = 512
/** Organisations whose piece is remembered. */
const REMEMBERED = 100_000

export function areNodesOld({ nodes }: Pick<Db, 'nodes'>): boolean {
  return performance.now() - nodes.read_ms >= READ_EVERY_MS
}

/** The nodes that hold pieces, each with a key that lies there. */
export async function nodesOf(db: Db): Promise<readonly ClusterNode[]> {
  if (!areNodesOld(db)) return db.nodes.known
  const pieces = await db<{ piece: bigint; name: string; host: string; port: number; group_id: number }[]>`
    select shardid as piece, nodename || ':' || nodeport as name, nodename as host, nodeport as port,
      groupid as group_id
    from pg_dist_shard
    join pg_dist_placement using (shardid)
    join pg_dist_node using (groupid)
    where logicalrelid = 'messages'::regclass and noderole = 'primary'`
  const named = new Map(pieces.map((row) => [row.name, row]))
  const keys = new Map((await throwKeys(db)).map(({ name, key }) => [name, key]))
  if ([...named.keys()].some((name) => !keys.has(name))) {
    for (const { name, key } of await keysOfOrganisations(db)) keys.set(name, key)
  }
  const before = new Map(db.nodes.known.map((node) => [node.name, node]))
  db.nodes.known = [...named.values()].flatMap(({ name, host, port, group_id }) => {
    const key = keys.get(name)
    if (key === undefined) return []
    const node = before.get(name) ?? newNode({ name, host, port, group_id, key })
    Object.assign(node, { key, group_id })
    return [node]
  })
  const known = new Map(db.nodes.known.map((node) => [node.name, node]))
  db.nodes.node_of_piece.clear()
  for (const { piece, name } of pieces) {
    const node = known.get(name)
    if (node) db.nodes.node_of_piece.set(String(piece), node)
  }
  db.nodes.read_ms = performance.now()
  return db.nodes.known
}

function newNode(named: Pick<ClusterNode, 'name' | 'host' | 'port' | 'group_id' | 'key'>): ClusterNode {
  const reach = { is_direct: false, tried_ms: -Infinity }
  return { ...named, is_away: false, is_silent: false, asked: 0, line: [], heard_ms: -Infinity, reach }
}

type Key = { name: string; key: string }

async function throwKeys(db: Db): Promise<Key[]> {
  // The piece of each key is found before anything is joined: else it is for every piece there is, half a second each time.
  return db<Key[]>`
    with thrown as materialized (
      select key, get_shard_id_for_distribution_column('messages', key) as shardid
      from (select gen_random_uuid() as key from generate_series(1, ${KEYS})) made
    )
    select distinct on (name) nodename || ':' || nodeport as name, key
    from thrown
    join pg_dist_placement using (shardid)
    join pg_dist_node using (groupid)
    where noderole = 'primary'
    order by name`
}

/** A node may hold a single large organisation and nothing else. */
async function keysOfOrganisations(db: Db): Promise<Key[]> {
  return db<Key[]>`
    with known as materialized (
      select id as key, get_shard_id_for_distribution_column('messages', id) as shardid from organisations
    )
    select distinct on (name) nodename || ':' || nodeport as name, key
    from known
    join pg_dist_placement using (shardid)
    join pg_dist_node using (groupid)
    where noderole = 'primary'
    order by name`
}

/** Finds where the organisations lie that are wanted: one question for all of them. */
export async function learn(db: Db): Promise<void> {
  const { nodes } = db
  nodes.learning ??= (async () => {
    await nodesOf(db)
    while (nodes.wanted.size > 0) await learnPieces(db)
  })()
    .catch(() => {}) // the coordinator is away, and whoever asks it is told; the next who wants to know tries again
    .finally(() => (nodes.learning = undefined))
  return nodes.learning
}

async function learnPieces(db: Db): Promise<void> {
  const { wanted, piece_of } = db.nodes
  const ids = [...wanted]
  const rows = await db<{ id: string; piece: bigint }[]>`
    select id, get_shard_id_for_distribution_column('messages', id) as piece from unnest(${idArray(ids)}::uuid[]) as id`
  if (piece_of.size + rows.length > REMEMBERED) piece_of.clear()
  for (const { id, piece } of rows) piece_of.set(id, String(piece))
  for (const id of ids) wanted.delete(id)
}

/** Every node answers; so does one machine. */
export function areAllHere(db: Pick<Db, 'nodes'>): boolean {
  return !db.nodes.known.some(({ is_away }) => is_away)
}

/** The nodes that do not answer. */
export function nodesAway(db: Pick<Db, 'nodes'>): string[] {
  return db.nodes.known.filter(({ is_away }) => is_away).map(({ name }) => name)
}

/** Whether the organisation lies on a node that does not answer. While all do this costs nothing. */
export async function isAway(db: Db, organisation_id: string): Promise<boolean> {
  if (areAllHere(db)) return false
  if (!knownNodeOf(db, organisation_id)) {
    db.nodes.wanted.add(organisation_id)
    await learn(db)
  }
  return knownNodeOf(db, organisation_id)?.is_away ?? false
}

/** As if it had been asked in vain; for those who would wait long for a node that says nothing. */
export async function requireNode(db: Db, organisation_id: string): Promise<void> {
  if (await isAway(db, organisation_id)) {
    throw Object.assign(new Error('The node that holds the organisation does not answer.'), { code: '08006' })
  }
}
