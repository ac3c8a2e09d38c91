import { connect, type DatabaseAddress } from '../../src/db/connect.ts'
import { distribute } from '../../src/db/cluster/distribute.ts'
import { SETTINGS } from '../../src/db/cluster/settings.ts'
import { migrate } from '../../src/db/migrate.ts'
import { onDatabase } from './address.ts'

/** Shards per table: enough to have several on each node. */
const SHARDS = 4

/** `template`: the database that this test run and Vitest project copy; others may use the same cluster. */
export type Cluster = { coordinator: DatabaseAddress; nodes: DatabaseAddress[]; template: string }

/** The nodes of the cluster that the database belongs to, the coordinator first. */
export async function findCluster(url: string, project: string): Promise<Cluster> {
  const db = connect({ url }, { connections: 1 })
  const nodes = await db<{ host: string; port: number }[]>`
    select nodename as host, nodeport as port from pg_dist_node where noderole = 'primary' order by groupid`
  await db.end({ timeout: 5 })
  const addresses = nodes.map(({ host, port }) => {
    const node = new URL(url)
    node.hostname = host
    node.port = String(port)
    node.pathname = '/postgres'
    return { url: node.href }
  })
  const [coordinator] = addresses
  if (!coordinator || addresses.length < 2) throw new Error('the cluster has no workers, or no coordinator')
  return { coordinator, nodes: addresses, template: `gangan_template_${process.pid}_${project}` }
}

/** Creates a distributed database with the newest schema. It allows no connections, so that it can be copied. */
export async function makeDistributedTemplate({ coordinator, nodes, template: name }: Cluster): Promise<void> {
  for (const node of nodes) {
    await onNode(node, async (run) => {
      await run(`drop database if exists ${name} with (force)`)
      await run(`create database ${name}`)
      await run(`alter database ${name} set citus.shard_count = ${SHARDS}`)
    })
    await onNode(onDatabase(node, name), (run) => run('create extension citus'))
  }
  const template = onDatabase(coordinator, name)
  await onNode(template, async (run) => {
    for (const [n, node] of nodes.entries()) {
      const { hostname, port } = new URL('url' in node ? node.url : '')
      await run(`select ${n === 0 ? 'citus_set_coordinator_host' : 'citus_add_node'}('${hostname}', ${port})`)
    }
  })
  const db = connect(template, { connections: 2 })
  await migrate(db)
  await distribute(db, () => {})
  await db.end({ timeout: 5 })
  for (const node of nodes) {
    await onNode(node, async (run) => {
      await run(`alter database ${name} with allow_connections false`)
      await run(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    })
  }
}

/** Settings of a database are not copied with it. */
export async function copyTemplate(cluster: Cluster, made: string, name: string): Promise<void> {
  await onEveryNode(cluster, made)
  for (const [setting, value] of Object.entries(SETTINGS)) {
    await onEveryNode(cluster, `alter database ${name} set ${setting} = ${value}`)
  }
}

/** Runs a statement on all nodes concurrently. */
export async function onEveryNode({ nodes }: Cluster, statement: string): Promise<void> {
  await Promise.all(nodes.map((node) => onNode(node, (run) => run(statement))))
}

async function onNode(node: DatabaseAddress, work: (run: (text: string) => Promise<unknown>) => Promise<unknown>) {
  const db = connect(node, { connections: 1 })
  try {
    await work((text) => db.unsafe(text))
  } finally {
    await db.end({ timeout: 5 })
  }
}
