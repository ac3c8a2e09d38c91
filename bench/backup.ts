import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from '../src/db/connect.ts'
import { temporaryFolder } from '../test/support/folder.ts'
import { fill } from './growth.ts'
import { serveGangan, servePostgres, start, type Database, type Served } from './processes.ts'
import type { Figure } from './sends.ts'
import { load } from './wrk.ts'

const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 1_000_000)
const WINDOW_S = 5
const HELD_S = 60

/** What a backup takes, what sending does meanwhile, and how much of that is due to the snapshot it reads. */
export async function benchBackup(): Promise<Figure[]> {
  const database = await servePostgres()
  const gangan = await serveGangan({}, [], database)
  await fill(database.db, MESSAGES)
  const [{ size } = { size: '' }] = await database.db<{ size: string }[]>`
    select pg_size_pretty(pg_database_size(current_database())) as size`
  const alone = await backUp(database)
  await rates(gangan, windows(2)) // to warm up
  const before = await rates(gangan, windows(3))
  const holder = await holdSnapshot(database)
  const held = await rates(gangan, windows(HELD_S / WINDOW_S))
  await holder.release()
  const between = await rates(gangan, windows(3))
  let ended = false
  const beside = backUp(database).finally(() => (ended = true))
  const during = await rates(gangan, () => !ended)
  const { seconds, megabytes } = await beside
  const after = await rates(gangan, windows(3))
  await gangan.stop()
  await database.stop()
  return [
    {
      name: `backup of ${MESSAGES.toLocaleString('en')} messages (${size}), without other load`,
      figure: describe(alone),
    },
    { name: 'sends, one recipient a request, before', figure: perSecond(before) },
    { name: `  every ${WINDOW_S} s while a snapshot is held`, figure: perSecond(held) },
    { name: '  after it', figure: perSecond(between) },
    { name: 'backup beside sends', figure: describe({ seconds, megabytes }) },
    { name: '  sends meanwhile', figure: perSecond(during) },
    { name: '  after it', figure: perSecond(after) },
  ]
}

const describe = ({ seconds, megabytes }: { seconds: number; megabytes: number }): string =>
  `${seconds.toFixed(1)} s, ${megabytes.toFixed(1)} MB`

const perSecond = (seen: readonly number[]): string =>
  `${seen.map((rate) => Math.round(rate).toLocaleString('en')).join(' · ')} /s`

function windows(count: number): () => boolean {
  let left = count
  return () => left-- > 0
}

/** Messages a second, window after window. */
async function rates({ port, key }: Served, goesOn: () => boolean): Promise<number[]> {
  const seen: number[] = []
  while (goesOn()) {
    const { requests, failures, seconds } = await load({
      port,
      path: '/sms/send',
      headers: { authorization: key },
      body: '{"recipients":"234803#######","content":"Your order is on its way."}',
      connections: 64,
      seconds: WINDOW_S,
      warm: true,
    })
    if (failures > 0) throw new Error(`${failures} of ${requests} requests failed`)
    seen.push(requests / seconds)
  }
  return seen
}

/** As a backup has one open, without the work. */
async function holdSnapshot({ address }: Database): Promise<{ release(): Promise<void> }> {
  const db = connect(address, { connections: 1 })
  const client = await db.pool.connect()
  await client.query('begin transaction isolation level repeatable read read only')
  await client.query('set local idle_in_transaction_session_timeout = 0')
  await client.query('select 1 from balances limit 1')
  return {
    async release() {
      await client.query('rollback')
      client.release()
      await db.end({ timeout: 1 })
    },
  }
}

async function backUp({ env }: Database): Promise<{ seconds: number; megabytes: number }> {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'bench.backup.gz')
  const began = performance.now()
  const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))
  const child = start(process.execPath, [main, 'backup', file], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error('the backup failed')
  const seconds = (performance.now() - began) / 1_000
  const { size } = await stat(file)
  await folder.remove()
  return { seconds, megabytes: size / 1e6 }
}
