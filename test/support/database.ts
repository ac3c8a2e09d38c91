import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { connect, type Db, type DatabaseAddress } from '../../src/db/connect.ts'
import { onDatabase, ownerOf, urlOf } from './address.ts'
import { copyTemplate, onEveryNode, type Cluster } from './cluster.ts'
import { until } from './until.ts'

export type TestDatabase = { db: Db; address: DatabaseAddress; url: string; drop(): Promise<void> }

/** On a busy machine a connection may take longer than a service should wait. */
const PATIENCE_MS = 15_000

/** A new database with the newest schema, copied from the template in a few milliseconds. */
export async function freshDatabase(): Promise<TestDatabase> {
  const server = inject('server')
  const cluster = inject('cluster')
  const name = `test_${randomBytes(6).toString('hex')}`
  const admin = connect(inject('administrator'), { connections: 1 })
  for (let tries = 1; ; tries += 1) {
    try {
      const made = `create database ${name} template ${cluster?.template ?? 'gangan_template'} ${ownerOf(server)}`
      await (cluster ? copyTemplate(cluster, made, name) : admin.unsafe(`${made} strategy file_copy`))
      break
    } catch (fault) {
      if (tries === 20) throw fault // The template is being copied by another test file.
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const address = onDatabase(server, name)
  const db = connect(address, { connections: 10, connect_timeout_ms: PATIENCE_MS, distributed: cluster !== undefined })
  return {
    db,
    address,
    url: urlOf(address),
    async drop() {
      await db.end({ timeout: 1 })
      const dropped = `drop database if exists ${name} with (force)`
      if (cluster) await dropOnNodes(cluster, name, dropped)
      else await admin.unsafe(dropped)
      await admin.end({ timeout: 1 })
    },
  }
}

/**
 * Citus maintenance daemons on one node connect to the others, which would restart theirs while the database is being
 * dropped: so connections are forbidden and existing ones terminated before. These may take a moment to end.
 */
async function dropOnNodes(cluster: Cluster, name: string, dropped: string): Promise<void> {
  const isDone = (statement: string): Promise<boolean> =>
    onEveryNode(cluster, statement).then(
      () => true,
      () => false,
    )
  await isDone(`alter database ${name} with allow_connections false`)
  await isDone(`select pg_terminate_backend(pid, 100) from pg_stat_activity where datname = '${name}'`)
  await until('the database to be dropped', () => isDone(dropped), 60_000)
}
