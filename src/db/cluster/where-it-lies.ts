import { codeOf } from '../../values/thrown.ts'
import { connect, type Db, type DatabaseAddress } from '../connect.ts'
import { knownNodeOf, type ClusterNode } from './known-nodes.ts'
import { areNodesOld, learn } from './nodes.ts'

/** How often is looked whether a node can be reached without the coordinator, while it is asked for anything. */
const TRY_EVERY_MS = 10_000
const CONNECT_MS = 5_000

/**
 * The connections that lead to where an organisation lies: on one machine those given, on a cluster those to its node,
 * made of the same kind. A function of one organisation would be passed on to that node by the coordinator anyhow; asked
 * there, it costs the coordinator nothing, and a node that has fallen silent keeps nobody else's connections busy.
 *
 * It is a short cut and nothing depends on it: what has moved to another node is passed on there, and as long as a node
 * is not known, or not to be reached from here, the coordinator is asked. Only for statements about tables that lie with
 * the organisation.
 */
export function whereItLies(db: Db, organisation_id: string): Db {
  // Who has ended gets no new connections that nobody would end.
  if (!db.distributed || !db.nodes.direct || db.pool.ending) return db
  const node = knownNodeOf(db, organisation_id)
  if (!node) db.nodes.wanted.add(organisation_id)
  if (!node || areNodesOld(db)) void learn(db)
  if (!node) return db
  void tryNode(db, node)
  return node.reach.is_direct ? connectionsTo(db, node) : db
}

function connectionsTo(db: Db, node: ClusterNode): Db {
  const known = db.by_node.get(node.name)
  if (known) return known
  endForgotten(db)
  const { max, connectionTimeoutMillis, application_name = 'gangan' } = db.pool.options
  const made = connect(addressOf(db.address, node), {
    connections: max,
    connect_timeout_ms: connectionTimeoutMillis,
    application_name,
    plans: 'node',
    distributed: true,
    nodes: db.nodes,
    onAnswer: () => (node.heard_ms = performance.now()),
  })
  made.by_node.set(node.name, made)
  db.by_node.set(node.name, made)
  return made
}

/** A node that has another address now, or none of the pieces. */
function endForgotten({ nodes, by_node }: Db): void {
  const names = new Set(nodes.known.map(({ name }) => name))
  for (const [name, node] of by_node) {
    if (names.has(name)) continue
    by_node.delete(name)
    void node.end()
  }
}

/** The database of the same name on a node. */
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
 * Looks whether we reach a node, and whether it is the node: its address is what the coordinator knows it by, and may lead
 * elsewhere from here. One that says nothing at all is believed to be what it was: to ask the coordinator instead would
 * keep that waiting, too.
 */
async function tryNode(db: Db, { host, port, group_id, reach }: ClusterNode): Promise<void> {
  if (performance.now() - reach.tried_ms < TRY_EVERY_MS) return
  reach.tried_ms = performance.now()
  const there = connect(addressOf(db.address, { host, port }), { connections: 1, connect_timeout_ms: CONNECT_MS })
  try {
    const [ours] = await db<{ id: string }[]>`select id from organisations order by id limit 1`
    const [found] = await there<{ is_it: boolean }[]>`
      select exists (
        select from pg_dist_local_group where groupid = ${group_id}
          and exists (select from organisations where id = ${ours?.id ?? null})
      ) as is_it`
    reach.is_direct = found?.is_it ?? false
  } catch (fault) {
    if (!isSilence(fault)) reach.is_direct = false
  } finally {
    await there.end({ timeout: 1 })
  }
}

/** Nobody has said no: the connection took too long to be made, or to answer. */
function isSilence(fault: unknown): boolean {
  return codeOf(fault) === 'ETIMEDOUT' || (fault instanceof Error && /timeout/i.test(fault.message))
}
