import type { Db } from '../connect.ts'
import type { ClusterNode } from './known-nodes.ts'

/** Pieces move seldom, and what has moved shows by a question that nobody answers for a node. */
const READ_EVERY_MS = 10_000
/** So many keys are thrown; with thousands of nodes some may be missed, and are then found by their organisations. */
const KEYS = 512

/** The nodes that hold pieces, each with a key that lies there. */
export async function nodesOf(db: Db): Promise<readonly ClusterNode[]> {
  if (performance.now() - db.nodes.read_ms < READ_EVERY_MS) return db.nodes.known
  const names = await db<{ name: string }[]>`
    select distinct nodename || ':' || nodeport as name
    from pg_dist_shard
    join pg_dist_placement using (shardid)
    join pg_dist_node using (groupid)
    where logicalrelid = 'messages'::regclass and noderole = 'primary'`
  const keys = new Map((await throwKeys(db)).map(({ name, key }) => [name, key]))
  if (names.some(({ name }) => !keys.has(name))) {
    for (const { name, key } of await keysOfOrganisations(db)) keys.set(name, key)
  }
  const before = new Map(db.nodes.known.map((node) => [node.name, node]))
  db.nodes.known = names.flatMap(({ name }) => {
    const key = keys.get(name)
    if (key === undefined) return []
    const node = before.get(name) ?? { name, key, is_away: false, is_silent: false, asked: 0, line: [] }
    node.key = key
    return [node]
  })
  db.nodes.lies_on.clear()
  db.nodes.read_ms = performance.now()
  return db.nodes.known
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
  const away = nodesAway(db)
  const known = db.nodes.lies_on.get(organisation_id)
  if (known !== undefined) return away.includes(known)
  const [row] = await db<{ name: string }[]>`
    select nodename || ':' || nodeport as name
    from pg_dist_placement join pg_dist_node using (groupid)
    where shardid = get_shard_id_for_distribution_column('messages', ${organisation_id}::uuid) and noderole = 'primary'`
  if (row) db.nodes.lies_on.set(organisation_id, row.name)
  return row !== undefined && away.includes(row.name)
}

/** As if it had been asked in vain; for those who would wait long for a node that says nothing. */
export async function requireNode(db: Db, organisation_id: string): Promise<void> {
  if (await isAway(db, organisation_id)) {
    throw Object.assign(new Error('The node that holds the organisation does not answer.'), { code: '08006' })
  }
}
