import { inject } from 'vitest'
import type { Db } from '../../src/db/connect.ts'
import { onDatabase } from '../support/address.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { startStallingProxy, type StallingProxy } from '../support/stalling-proxy.ts'

/** These tests need a cluster (`npm run test:citus`); otherwise they are skipped. */
export const cluster = inject('cluster')

/** A worker of the cluster, which one database reaches through a proxy that can be stalled. */
export type Worker = StallingProxy & { name: string }

export type WiredDatabase = TestDatabase & { workers: Worker[]; close(): Promise<void> }

/** A distributed database that reaches its workers through proxies. Other databases are not affected by them. */
export async function wiredDatabase(): Promise<WiredDatabase> {
  const database = await freshDatabase()
  const name = new URL(database.url).pathname.slice(1)
  const [, ...nodes] = cluster?.nodes ?? []
  const workers: Worker[] = []
  for (const node of nodes) {
    const proxy = await startStallingProxy(onDatabase(node, name))
    const { hostname, port } = new URL('url' in node ? node.url : '')
    const wire = new URL(proxy.url)
    // Citus crashes if a statement changes a catalogue table that it reads.
    const [known] = await database.db<{ id: number }[]>`
      select nodeid as id from pg_dist_node where nodename = ${hostname} and nodeport = ${Number(port)}`
    await database.db`select citus_update_node(${known?.id}, ${wire.hostname}, ${Number(wire.port)})`
    workers.push(Object.assign(proxy, { name: wire.host }))
  }
  return {
    ...database,
    workers,
    async close() {
      for (const worker of workers) await worker.close()
      await database.drop()
    },
  }
}

/** The name of the node that holds an organisation. */
export async function nodeOf(db: Db, organisation_id: string): Promise<string> {
  const [row] = await db<{ name: string }[]>`
    select nodename || ':' || nodeport as name
    from pg_dist_placement join pg_dist_node using (groupid)
    where shardid = get_shard_id_for_distribution_column('messages', ${organisation_id}::uuid)`
  return row?.name ?? ''
}
