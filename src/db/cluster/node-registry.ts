import { makeBoundedCache, type BoundedCache } from '../../values/concurrency/bounded-cache.ts'
import { makeSemaphore, type Semaphore } from '../../values/concurrency/semaphore.ts'

/** A node of the cluster that holds shards. */
export type ClusterNode = {
  /** `host:port`, as the coordinator addresses it. */
  name: string
  host: string
  port: number
  /** Its Citus group id, by which it identifies itself. */
  group_id: number
  /** An organisation id that hashes to a shard of the node: a function called with it runs there. */
  key: string
  /** It did not respond, as far as this process knows. */
  is_unreachable: boolean
  /** A query to it has exceeded its timeout and is still open. */
  is_unresponsive: boolean
  /** Bounds concurrent shard queries, so that an unresponsive node occupies few connections. */
  queries: Semaphore
  /** When it last answered a direct connection. */
  answered_ms: number
  /** Whether this process can connect to it directly, and when that was last tested. */
  direct: { works: boolean; tested_ms: number }
}

/** The nodes, shared by all connection pools of a process. */
export type NodeRegistry = {
  known: ClusterNode[]
  read_ms: number
  node_of_shard: Map<string, ClusterNode>
  shard_of: BoundedCache<string, string>
  /** Organisations whose shard is to be looked up. */
  wanted: Set<string>
  lookup: Promise<void> | undefined
  /** Whether nodes may be queried without the coordinator. */
  direct: boolean
}

const MAX_QUERIES_PER_NODE = 2
const CACHED_ORGANISATIONS = 100_000

export function makeNodeRegistry(): NodeRegistry {
  return {
    known: [],
    read_ms: -Infinity,
    node_of_shard: new Map(),
    shard_of: makeBoundedCache(CACHED_ORGANISATIONS),
    wanted: new Set(),
    lookup: undefined,
    direct: true,
  }
}

export function makeNode(named: Pick<ClusterNode, 'name' | 'host' | 'port' | 'group_id' | 'key'>): ClusterNode {
  return {
    ...named,
    is_unreachable: false,
    is_unresponsive: false,
    queries: makeSemaphore(MAX_QUERIES_PER_NODE),
    answered_ms: -Infinity,
    direct: { works: false, tested_ms: -Infinity },
  }
}

/** The node that holds an organisation, if this process knows it. */
export function knownNodeOf({ nodes }: { nodes: NodeRegistry }, organisation_id: string): ClusterNode | undefined {
  return nodes.node_of_shard.get(nodes.shard_of.get(organisation_id) ?? '')
}
