import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect, type Db, type DatabaseAddress } from '../src/db/connect.ts'
import { migrate } from '../src/db/migrate.ts'
import { onDatabase, urlOf } from '../test/support/address.ts'
import {
  copyTemplate,
  findCluster,
  makeDistributedTemplate,
  onEveryNode,
  type Cluster,
} from '../test/support/cluster.ts'
import { makeKeys, measureSends, type MeasuredSends } from './measure-sends.ts'
import { serveGangan, type Served } from './processes.ts'
import type { Figure } from './sends.ts'

const CONNECTIONS = 64
const ORGANISATIONS = [1, 8, 64] as const
/** Recipients a request: a request is a burst, and single ones that come together are one, too. */
const SIZES = [1, 32, 256] as const

/**
 * The same service on a database of a Citus cluster, beside a plain one on the coordinator's own server: accepted, and
 * delivered over the time until the last one is; with the processor time of each node. The cluster is the one that a
 * database of GANGAN_TEST_CITUS_URL belongs to, with all nodes on this machine.
 */
export async function benchCitus(): Promise<Figure[]> {
  const url = process.env.GANGAN_TEST_CITUS_URL
  if (!url) return [{ name: 'left out: GANGAN_TEST_CITUS_URL names no cluster', figure: '–' }]
  const cluster = await findCluster(url, 'bench')
  await makeDistributedTemplate(cluster)
  const pids = await Promise.all(cluster.nodes.map(postmasterOf))
  const plain = await open(await plainDatabase(cluster))
  const distributed = await open(await distributedDatabase(cluster))
  const figures: Figure[] = []
  // Alternating: the machine may be twice as fast ten minutes later.
  for (const size of SIZES) {
    for (const organisations of ORGANISATIONS) {
      const on_one = await measure(plain, organisations, size, pids)
      figures.push(...figuresOf(on_one, await measure(distributed, organisations, size, pids)))
    }
  }
  await close(plain)
  await close(distributed)
  await onEveryNode(cluster, `drop database ${cluster.template} with (force)`)
  return figures
}

type Bench = { name: string; address: DatabaseAddress; db: Db; drop(): Promise<void> }

async function plainDatabase({ coordinator }: Cluster): Promise<Bench> {
  const name = `bench_plain_${randomBytes(4).toString('hex')}`
  const admin = connect(coordinator, { connections: 1 })
  await admin.unsafe(`create database ${name}`)
  const address = onDatabase(coordinator, name)
  const db = connect(address, { connections: 4 })
  await migrate(db)
  return {
    name: 'plain',
    address,
    db,
    async drop() {
      await db.end({ timeout: 1 })
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.end({ timeout: 1 })
    },
  }
}

async function distributedDatabase(cluster: Cluster): Promise<Bench> {
  const name = `bench_citus_${randomBytes(4).toString('hex')}`
  await copyTemplate(cluster, `create database ${name} template ${cluster.template}`, name)
  const address = onDatabase(cluster.coordinator, name)
  const db = connect(address, { connections: 4, distributed: true })
  return {
    name: 'distributed',
    address,
    db,
    async drop() {
      await db.end({ timeout: 1 })
      await onEveryNode(cluster, `drop database ${name} with (force)`)
    },
  }
}

type Opened = { bench: Bench; keys: string[]; gangan: Served }

async function open(bench: Bench): Promise<Opened> {
  const keys = await makeKeys(bench.db, Math.max(...ORGANISATIONS))
  const env = { DATABASE_URL: urlOf(bench.address) }
  const database = { db: bench.db, address: bench.address, env, pid: 0, stop: async () => {} }
  return { bench, keys, gangan: await serveGangan({}, [], database) }
}

async function close({ bench, gangan }: Opened): Promise<void> {
  await gangan.stop()
  await bench.drop()
}

async function measure(
  { bench, keys, gangan }: Opened,
  organisations: number,
  size: number,
  pids: readonly number[],
): Promise<MeasuredSends> {
  const connections = size === 1 ? CONNECTIONS : CONNECTIONS / 8
  const one = await measureSends(gangan, { keys: keys.slice(0, organisations), size, connections }, pids)
  process.stderr.write(`${bench.name}: ${JSON.stringify(one)}\n`)
  return one
}

/** The process of a server that all of its others are children of. */
async function postmasterOf(address: DatabaseAddress): Promise<number> {
  const db = connect(address, { connections: 1 })
  const [row] = await db<{ folder: string }[]>`select current_setting('data_directory') as folder`
  await db.end({ timeout: 1 })
  return Number(readFileSync(`${row?.folder ?? ''}/postmaster.pid`, 'utf8').split('\n')[0])
}

function figuresOf(plain: MeasuredSends, distributed: MeasuredSends): Figure[] {
  const { organisations, size } = plain
  const whole = (value: number): string => Math.round(value).toLocaleString('en')
  const share = (a: number, b: number): string => (a / b).toFixed(2)
  const spent = ({ node_us, postgres_us }: MeasuredSends): string =>
    `${whole(node_us)} + ${postgres_us.map(whole).join(' · ')} µs`
  const who = `${organisations} ${organisations === 1 ? 'organisation' : 'organisations'}, ${size} a request`
  return [
    {
      name: `${who}: accepted a second, plain → distributed`,
      figure: `${whole(plain.accepted)} → ${whole(distributed.accepted)} (${share(distributed.accepted, plain.accepted)} ×)`,
    },
    {
      name: '  delivered a second',
      figure: `${whole(plain.delivered)} → ${whole(distributed.delivered)} (${share(distributed.delivered, plain.delivered)} ×)`,
    },
    {
      name: '  processor a message: Node + coordinator · workers',
      figure: `${spent(plain)} → ${spent(distributed)}`,
    },
  ]
}
