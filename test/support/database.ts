import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { connect, type Db, type DatabaseAddress } from '../../src/db/connect.ts'
import { onDatabase, ownerOf, urlOf } from './address.ts'
import { copyTemplate, onEveryNode } from './cluster.ts'
import { until } from './until.ts'

export type TestDatabase = { db: Db; address: DatabaseAddress; url: string; drop(): Promise<void> }

/** A busy machine may take longer for a connection than a service should wait. */
const PATIENCE_MS = 15_000

/** A database of its own with the newest schema, copied from the template in a few milliseconds. */
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
      if (tries === 20) throw fault // the template is being copied by another test file
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
      // On a cluster those who look after it may take a moment to leave.
      if (cluster)
        await until(
          'the database to be dropped',
          () =>
            onEveryNode(cluster, dropped).then(
              () => true,
              () => false,
            ),
          60_000,
        )
      else await admin.unsafe(dropped)
      await admin.end({ timeout: 1 })
    },
  }
}
