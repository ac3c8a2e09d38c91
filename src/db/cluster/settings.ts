import type { Db } from '../connect.ts'

/**
 * What every node is told about the database. Functions of an organisation may be asked within a statement about the
 * same organisation: all of it lies on one node, so nothing is asked of another from there. Plans are not kept, see
 * src/db/connect.ts: this is for the connections between the nodes.
 */
export const SETTINGS = {
  'citus.allow_nested_distributed_execution': 'on',
  'gangan.distributed': 'on',
  plan_cache_mode: 'force_custom_plan',
}

export async function setOnNodes(db: Db): Promise<void> {
  const [row] = await db<{ name: string }[]>`select quote_ident(current_database()) as name`
  for (const [setting, value] of Object.entries(SETTINGS)) {
    await db`select run_command_on_all_nodes(${`alter database ${row?.name ?? ''} set ${setting} = ${value}`})`
  }
}
