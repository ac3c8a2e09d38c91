import type { Db, Tx } from '../connect.ts'

/**
 * Settings of the database on every node. A function of an organisation may be called within a statement about the same
 * organisation, because all its rows are on one node. Custom plans are for the connections between the nodes, as in
 * connect.ts.
 */
export const SETTINGS = {
  'citus.allow_nested_distributed_execution': 'on',
  'gangan.distributed': 'on',
  plan_cache_mode: 'force_custom_plan',
}

/**
 * Applies missing settings on every reachable node, including nodes that were added later. Recent versions of Citus
 * propagate them from the coordinator, older ones need the command on each node.
 */
export async function setOnNodes(sql: Db | Tx): Promise<void> {
  const [row] = await sql<{ name: string }[]>`select quote_ident(current_database()) as name`
  for (const { setting, value } of await findMissing(sql)) {
    await sql`select run_command_on_all_nodes(
      ${`alter database ${row?.name ?? ''} set ${setting} = ${value}`}, give_warning_for_connection_errors => true
    )`
  }
  const [missing] = await findMissing(sql)
  if (missing) throw new Error(`${missing.node} does not accept ${missing.setting} = ${missing.value}`)
}

/** Unreachable nodes are skipped. */
async function findMissing(sql: Db | Tx): Promise<{ node: string; setting: string; value: string }[]> {
  const nodes = await sql<{ node: string; known: string }[]>`
    select nodename || ':' || nodeport as node, result as known
    from run_command_on_all_nodes(${KNOWN}, give_warning_for_connection_errors => true)
    join pg_dist_node using (nodeid)
    where success`
  return nodes.flatMap(({ node, known }) => {
    const set = new Set(known.split('\n'))
    const missing = Object.entries(SETTINGS).filter(([setting, value]) => !set.has(`${setting}=${value}`))
    return missing.map(([setting, value]) => ({ node, setting, value }))
  })
}

const KNOWN = `
  select coalesce(string_agg(setting, e'\\n'), '')
  from pg_db_role_setting
  join pg_database on pg_database.oid = setdatabase and datname = current_database()
  cross join unnest(setconfig) setting
  where setrole = 0`
