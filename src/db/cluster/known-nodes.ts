/** A node of the cluster that holds pieces of the tables. */
export type ClusterNode = {
  /** `host:port`, as the coordinator calls it. */
  name: string
  /** An organisation that would lie there: what is asked of it is asked of the node. */
  key: string
  /** It does not answer, as far as this process has noticed. */
  is_away: boolean
  /** A question is under way to which it owes us the answer for too long already. */
  is_silent: boolean
  /** Questions under way, and those that wait for one of them to end: one that is silent holds few connections. */
  asked: number
  line: (() => void)[]
}

/** What is known of the nodes, shared by all connections of a process. */
export type Nodes = { known: ClusterNode[]; read_ms: number; lies_on: Map<string, string> }

export function noNodes(): Nodes {
  return { known: [], read_ms: -Infinity, lies_on: new Map() }
}
