import type { TestProject } from 'vitest/node'
import { connect, type DatabaseAddress } from '../../src/db/connect.ts'
import { startEmbedded } from '../../src/db/embedded/start.ts'
import { migrate } from '../../src/db/migrate.ts'
import { onDatabase, ownerOf } from './address.ts'
import { findCluster, makeDistributedTemplate, onEveryNode, type Cluster } from './cluster.ts'
import { temporaryFolder } from './folder.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server on which each test file creates its databases, as copies of the migrated `gangan_template`. */
    server: DatabaseAddress
    /** The same server, as a role that may create databases. */
    administrator: DatabaseAddress
    /** Set if the databases are distributed over several servers (`npm run test:citus`). */
    cluster: Cluster | undefined
  }
}

/**
 * Tests create and drop hundreds of databases of some hundred files each, which should not wait for the disk. They kill
 * processes, never the machine, so data that was not synchronised to disk survives.
 */
const SERVER_SETTINGS = { max_connections: '300', fsync: 'off', full_page_writes: 'off' }

/**
 * One PostgreSQL for the whole run: the embedded one, the server of GANGAN_TEST_DATABASE_URL, or the cluster that the
 * database of GANGAN_TEST_CITUS_URL belongs to.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const citus = process.env.GANGAN_TEST_CITUS_URL
  const cluster = citus ? await findCluster(citus, project.name) : undefined
  project.provide('cluster', cluster)
  if (cluster) {
    await makeDistributedTemplate(cluster)
    project.provide('server', cluster.coordinator)
    project.provide('administrator', cluster.coordinator)
    return () => onEveryNode(cluster, `drop database ${cluster.template} with (force)`)
  }
  // Without a cluster all tests of this project are skipped.
  if (project.name === 'cluster') return async () => {}
  const given = process.env.GANGAN_TEST_DATABASE_URL
  if (given) {
    await makeTemplate({ url: given }, { url: given })
    project.provide('server', { url: given })
    project.provide('administrator', { url: given })
    return async () => {}
  }
  const folder = await temporaryFolder()
  const embedded = await startEmbedded({ data_dir: folder.path, settings: SERVER_SETTINGS })
  const administrator = await embedded.administrator()
  await makeTemplate(embedded.url_options, administrator)
  project.provide('server', embedded.url_options)
  project.provide('administrator', administrator)
  return async () => {
    await embedded.stop()
    await folder.remove()
  }
}

async function makeTemplate(server: DatabaseAddress, administrator: DatabaseAddress): Promise<void> {
  const admin = connect(administrator, { connections: 1 })
  await admin`drop database if exists gangan_template`
  await admin.unsafe(`create database gangan_template ${ownerOf(server)}`)
  await admin.end({ timeout: 5 })
  const template = connect(onDatabase(server, 'gangan_template'), { connections: 1 })
  await migrate(template)
  await template.end({ timeout: 5 })
}
