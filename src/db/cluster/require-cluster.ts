import type { Db } from '../connect.ts'

/** Everything that keeps a database from being distributed, in one message. */
export class UnfitCluster extends Error {
  constructor(faults: readonly string[]) {
    super(`The database cannot be distributed:\n  ${faults.join('\n  ')}`)
    this.name = 'UnfitCluster'
  }
}

/** The oldest version that was tested. */
const OLDEST = 12

/** Checks what would fail later, with a remedy for each fault. */
export async function requireCluster(db: Db): Promise<void> {
  const [extension] = await db<{ extversion: string }[]>`
    select extversion from pg_extension where extname = 'citus'`
  if (!extension) throw new UnfitCluster(['it has no extension citus: create it on every node first'])
  const faults: string[] = []
  if (Number.parseInt(extension.extversion, 10) < OLDEST) {
    faults.push(`Citus ${extension.extversion} is too old: ${OLDEST}.0 or newer is needed`)
  }
  const nodes = await db<{ name: string; coordinator: boolean; active: boolean }[]>`
    select nodename || ':' || nodeport as name, groupid = 0 as coordinator, isactive as active
    from pg_dist_node where noderole = 'primary'`
  if (!nodes.some(({ coordinator }) => coordinator)) {
    faults.push("the coordinator does not know its own address: select citus_set_coordinator_host('…') there first")
  }
  if (!nodes.some(({ coordinator, active }) => active && !coordinator)) {
    faults.push("there is no worker: select citus_add_node('…', 5432) on the coordinator first")
  }
  for (const { name, active } of nodes) if (!active) faults.push(`the node ${name} is not active`)
  if (faults.length === 0) faults.push(...(await settingFaults(db)), ...(await sessionFaults(db)))
  if (faults.length > 0) throw new UnfitCluster(faults)
}

async function settingFaults(db: Db): Promise<string[]> {
  const rows = await db<{ node: string; setting: string; value: string }[]>`
    select nodename || ':' || nodeport as node, setting, answer.result as value
    from unnest(array['max_prepared_transactions', 'wal_level']) as setting
    cross join lateral run_command_on_all_nodes('show ' || setting) as answer
    join pg_dist_node using (nodeid)`
  return rows.flatMap(({ node, setting, value }) => {
    if (setting === 'wal_level') {
      return value === 'logical' ? [] : [`${node}: wal_level is ${value}; moving organisations needs logical`]
    }
    return Number(value) > 0 ? [] : [`${node}: max_prepared_transactions is 0; 200 is a good start`]
  })
}

/** A running process would continue to treat the database as a single server. */
async function sessionFaults(db: Db): Promise<string[]> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and starts_with(application_name, 'gangan') and backend_type = 'client backend'`
  return (row?.count ?? 0) > db.pool.totalCount
    ? ['a process of Gangan is connected to it: stop all of them first']
    : []
}
