import { codeOf } from '../../values/thrown.ts'
import { connect, type Db, type DatabaseAddress } from '../connect.ts'
import { knownNodeOf, type ClusterNode } from './node-registry.ts'
import { isRegistryOutdated, lookUpShards } from './nodes.ts'

/** Interval of the test whether a node in use can be reached directly. */
const TEST_INTERVAL_MS = 10_000
const CONNECT_TIMEOUT_MS = 5_000

/**
 * Connections to the node that holds an organisation, of the same kind as those given.
 *
 * The coordinator would forward a function of one organisation to that node anyway; calling it there costs the coordinator
 * nothing, and an unresponsive node occupies no connections of others. This is an optimisation only: Citus forwards
 * statements about shards that have moved, and while a node is unknown or cannot be reached directly, the coordinator's
 * connections are returned. Only for statements about tables that are colocated with the organisation.
 */
export function nodeConnections(db: Db, organisation_id: string): Db {
  // A pool that is ending must not open others, which would stay open.
  if (!db.nodes.direct || db.pool.ending) return db
  const node = knownNodeOf(db, organisation_id)
  if (!node) db.nodes.wanted.add(organisation_id)
  if (!node || isRegistryOutdated(db)) void lookUpShards(db)
  if (!node) return db
  void testNode(db, node)
  return node.direct.works ? poolOf(db, node) : db
}

function poolOf(db: Db, node: ClusterNode): Db {
  const known = db.by_node.get(node.name)
  if (known) return known
  endUnknown(db)
  const { max, connectionTimeoutMillis, application_name = 'gangan' } = db.pool.options
  const made = connect(addressOf(db.address, node), {
    connections: max,
    connect_timeout_ms: connectionTimeoutMillis,
    application_name,
    plans: 'node',
    distributed: true,
    nodes: db.nodes,
    onAnswer: () => (node.answered_ms = performance.now()),
  })
  made.by_node.set(node.name, made)
  db.by_node.set(node.name, made)
  return made
}

/** Ends pools of nodes that have another address now, or no shards. */
function endUnknown({ nodes, by_node }: Db): void {
  const names = new Set(nodes.known.map(({ name }) => name))
  for (const [name, node] of by_node) {
    if (names.has(name)) continue
    by_node.delete(name)
    void node.end()
  }
}

/** The address of the same database on a node. */
export function addressOf(
  address: DatabaseAddress,
  { host, port }: Pick<ClusterNode, 'host' | 'port'>,
): DatabaseAddress {
  if (!('url' in address)) return { ...address, host, port }
  const url = new URL(address.url)
  url.searchParams.delete('host')
  url.searchParams.delete('port')
  url.hostname = host.includes(':') ? `[${host}]` : host
  url.port = String(port)
  return { url: url.href }
}

/**
 * Tests whether the node can be reached directly, and whether it is that node: the address is the coordinator's view and
 * may lead elsewhere from here. After a timeout the previous result stays: the coordinator would have to wait as well.
 */
async function testNode(db: Db, { host, port, group_id, direct }: ClusterNode): Promise<void> {
  if (performance.now() - direct.tested_ms < TEST_INTERVAL_MS) return
  direct.tested_ms = performance.now()
  const there = connect(addressOf(db.address, { host, port }), {
    connections: 1,
    connect_timeout_ms: CONNECT_TIMEOUT_MS,
  })
  try {
    const [ours] = await db<{ id: string }[]>`select id from organisations order by id limit 1`
    const [found] = await there<{ is_it: boolean }[]>`
      select exists (
        select from pg_dist_local_group where groupid = ${group_id}
          and exists (select from organisations where id = ${ours?.id ?? null})
      ) as is_it`
    direct.works = found?.is_it ?? false
  } catch (fault) {
    if (!isTimeout(fault)) direct.works = false
  } finally {
    await there.end({ timeout: 1 })
  }
}

function isTimeout(fault: unknown): boolean {
  return codeOf(fault) === 'ETIMEDOUT' || (fault instanceof Error && /timeout/i.test(fault.message))
}
