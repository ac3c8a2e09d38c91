/** A node of the cluster that holds pieces of the tables. */
export type ClusterNode = {
  /** `host:port`, as the coordinator calls it. */
  name: string
  host: string
  port: number
  /** Its number in the cluster, by which it knows itself. */
  group_id: number
  /** An organisation that would lie there: what is asked of it is asked of the node. */
  key: string
  /** It does not answer, as far as this process has noticed. */
  is_away: boolean
  /** A question is under way to which it owes us the answer for too long already. */
  is_silent: boolean
  /** Questions under way, and those that wait for one of them to end: one that is silent holds few connections. */
  asked: number
  line: (() => void)[]
  /** When it last answered us without the coordinator. */
  heard_ms: number
  /** Whether this process reaches it without the coordinator, and when that was last tried. */
  reach: { is_direct: boolean; tried_ms: number }
}

/** What is known of the nodes, shared by all connections of a process. */
export type Nodes = {
  known: ClusterNode[]
  read_ms: number
  /** The node of each piece, and the piece of each organisation that was asked for. */
  node_of_piece: Map<string, ClusterNode>
  piece_of: Map<string, string>
  /** Organisations whose piece is wanted. */
  wanted: Set<string>
  learning: Promise<void> | undefined
  /** Whether nodes may be asked without the coordinator. */
  direct: boolean
}

export function noNodes(): Nodes {
  return {
    known: [],
    read_ms: -Infinity,
    node_of_piece: new Map(),
    piece_of: new Map(),
    wanted: new Set(),
    learning: undefined,
    direct: true,
  }
}

/** The node an organisation lies on, as far as it is known here. */
export function knownNodeOf({ nodes }: { nodes: Nodes }, organisation_id: string): ClusterNode | undefined {
  return nodes.node_of_piece.get(nodes.piece_of.get(organisation_id) ?? '')
}
