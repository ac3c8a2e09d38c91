import type { Db } from '../src/db/connect.ts'
import type { Task } from './load.ts'
import { serveGangan } from './processes.ts'
import { until } from './until.ts'
import { load } from './wrk.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 6)
export const WHOLE_WAY_CONNECTIONS = 64
const LIMIT_MS = 240_000
/** On a cluster it takes every node some milliseconds to answer. */
const ASKED_EVERY_MS = 100

/** Messages a second: accepted while the callers call, and delivered over the time until the last one is. */
export type WholeWay = { accepted: number; delivered: number }

/**
 * Single sends to `gangan serve` as it is started by default, which submits them to its virtual handsets, receives the
 * reports and settles them concurrently. Messages accepted but not yet delivered count against it.
 */
export async function measureWholeWay(roles: string[]): Promise<WholeWay> {
  const gangan = await serveGangan({}, roles)
  const task: Task = {
    port: gangan.port,
    path: '/sms/send',
    headers: { authorization: gangan.key },
    body: '{"recipients":"234803#######","content":"Your order is on its way."}',
    connections: WHOLE_WAY_CONNECTIONS,
    seconds: SECONDS,
    warm: true,
  }
  await load(task)
  await untilDone(gangan.db)
  const before = await countDelivered(gangan.db)
  const began = performance.now()
  const { requests, failures, seconds } = await load(task)
  if (failures > 0) throw new Error(`${failures} of ${requests} requests failed`)
  await untilDone(gangan.db)
  const elapsed_s = (performance.now() - began) / 1_000
  const delivered = (await countDelivered(gangan.db)) - before
  await gangan.stop()
  // Those under way when the callers stopped are delivered, too.
  if (delivered < requests) throw new Error(`${requests} were accepted and ${delivered} delivered`)
  return { accepted: requests / seconds, delivered: delivered / elapsed_s }
}

/** A message is a row of `intake` or a job until it is reported and settled. */
export async function untilDone(db: Db): Promise<void> {
  await until('everything is done', LIMIT_MS, () => isDone(db), ASKED_EVERY_MS)
}

async function isDone(db: Db): Promise<boolean> {
  const left = await db`(select 1 from intake limit 1) union all (select 1 from jobs limit 1)`
  return left.length === 0
}

export async function countDelivered(db: Db): Promise<number> {
  const [row] = await db<{ delivered: number }[]>`
    select count(*)::integer as delivered from deliveries where status = 'delivered'`
  return row?.delivered ?? 0
}
