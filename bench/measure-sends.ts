import type { Db } from '../src/db/connect.ts'
import { createKey } from '../src/organisations/keys.ts'
import { foundOrganisation } from '../test/support/organisation.ts'
import type { Result, Task } from './load.ts'
import { runLoad, type Served } from './processes.ts'
import { familyMs, processorMs } from './processor.ts'
import { countDelivered, untilDone } from './whole-way.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 6)
const CREDIT = 10n ** 15n

/** A key for each of so many new organisations. */
export async function makeKeys(db: Db, count: number): Promise<string[]> {
  const keys: string[] = []
  const wish = { name: 'bench', scopes: null, expires_datetime: null }
  for (let n = 0; n < count; n += 1) {
    keys.push((await createKey({ db }, await foundOrganisation(db, CREDIT), 'live', wish)).key)
  }
  return keys
}

export type MeasuredSends = Result & {
  organisations: number
  /** Recipients a request. */
  size: number
  /** Messages a second: while the callers call, and over the time until the last one is delivered. */
  accepted: number
  delivered: number
  messages: number
  /** Microseconds of processor a message: Node, and each of the PostgreSQL servers. */
  node_us: number
  postgres_us: number[]
}

/** Sends of organisations in rotation, from the request to the handset. `onBegin` starts additional measurements. */
export async function measureSends(
  { db, port, pid }: Served,
  { keys, size, connections }: { keys: string[]; size: number; connections: number },
  postgres_pids: readonly number[],
  onBegin: () => PromiseLike<unknown> = async () => {},
): Promise<MeasuredSends> {
  const task: Task = {
    port,
    path: '/sms/send',
    headers: {},
    keys,
    body: JSON.stringify({
      recipients: size === 1 ? '234803#######' : listOf(size),
      content: 'Your order is on its way.',
    }),
    connections,
    seconds: SECONDS,
    warm: true,
  }
  await runLoad({ ...task, seconds: 2 })
  await untilDone(db)
  const before = await countDelivered(db)
  await onBegin()
  const spent_before = postgres_pids.map(familyMs)
  const node_before = processorMs(pid)
  const began = performance.now()
  const result = await runLoad(task)
  const { requests, failures, failure, seconds } = result
  if (failures > 0) throw new Error(`${failures} of ${requests} requests failed: ${failure}`)
  await untilDone(db)
  const elapsed_s = (performance.now() - began) / 1_000
  const messages = (await countDelivered(db)) - before
  if (messages < requests * size) throw new Error(`${requests * size} were accepted and ${messages} delivered`)
  return {
    ...result,
    organisations: keys.length,
    size,
    accepted: (requests * size) / seconds,
    delivered: messages / elapsed_s,
    messages,
    node_us: (1_000 * (processorMs(pid) - node_before)) / messages,
    postgres_us: postgres_pids.map((one, n) => (1_000 * (familyMs(one) - (spent_before[n] ?? 0))) / messages),
  }
}

function listOf(size: number): string {
  return Array.from({ length: size }, (_, n) => `234803${String(n).padStart(7, '0')}`).join(',')
}
