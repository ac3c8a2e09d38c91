import type { Db } from '../src/db/connect.ts'
import { createKey } from '../src/organisations/keys.ts'
import { foundOrganisation } from '../test/support/organisation.ts'
import type { Result, Task } from './load.ts'
import { runLoad, type Served } from './processes.ts'
import { familyMs, mainThreadMs, processorMs } from './processor.ts'
import type { Peer } from './smpp-line.ts'
import { until } from './until.ts'
import { countDelivered, untilDone } from './whole-way.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 6)
const CREDIT = 10n ** 15n
const LIMIT_MS = 240_000

/** A key for each of so many new organisations. */
export async function makeKeys(db: Db, count: number): Promise<string[]> {
  const keys: string[] = []
  const wish = { name: 'bench', scopes: null, expires_datetime: null }
  for (let n = 0; n < count; n += 1) {
    keys.push((await createKey({ db }, await foundOrganisation(db, CREDIT), 'live', wish)).key)
  }
  return keys
}

export type Sends = {
  /** One of each organisation, in rotation. */
  keys: readonly string[]
  /** Recipients a request. */
  size: number
  connections: number
  seconds?: number
  /** So many requests, instead. */
  requests?: number
  /** The customers' endpoint: every message has a callback. */
  endpoint?: Peer | undefined
}

export type MeasuredSends = Result & {
  organisations: number
  size: number
  /** Messages a second: while the callers call, and over the time until the last one is delivered. */
  accepted: number
  delivered: number
  messages: number
  /** Microseconds of processor a message: Node, its main thread alone, and each of the PostgreSQL servers. */
  node_us: number
  main_us: number
  postgres_us: number[]
}

/** Sends of organisations, from the request to the handset, or to the last callback. `onBegin` starts additional measurements. */
export async function measureSends(
  gangan: Served,
  sends: Sends,
  postgres_pids: readonly number[],
  onBegin: () => PromiseLike<unknown> = async () => {},
): Promise<MeasuredSends> {
  const { db, pid } = gangan
  await sendAll(gangan, {
    ...sends,
    ...(sends.requests === undefined ? { seconds: 1 } : { requests: sends.requests / 4 }),
  })
  const before = await countDelivered(db)
  await onBegin()
  const spent_before = postgres_pids.map(familyMs)
  const node_before = processorMs(pid)
  const main_before = mainThreadMs(pid)
  const began = performance.now()
  const result = await sendAll(gangan, sends)
  const elapsed_s = (performance.now() - began) / 1_000
  const [node_ms, main_ms] = [processorMs(pid) - node_before, mainThreadMs(pid) - main_before]
  const postgres_ms = postgres_pids.map((one, n) => familyMs(one) - (spent_before[n] ?? 0))
  const messages = (await countDelivered(db)) - before
  const accepted = result.requests * sends.size
  if (messages < accepted) throw new Error(`${accepted} were accepted and ${messages} delivered`)
  return {
    ...result,
    organisations: sends.keys.length,
    size: sends.size,
    accepted: accepted / result.seconds,
    delivered: messages / elapsed_s,
    messages,
    node_us: (1_000 * node_ms) / messages,
    main_us: (1_000 * main_ms) / messages,
    postgres_us: postgres_ms.map((ms) => (1_000 * ms) / messages),
  }
}

/** Sends, and waits until nothing is left to do. */
export async function sendAll(
  { db, port }: Served,
  { keys, size, connections, seconds = SECONDS, requests, endpoint }: Sends,
): Promise<Result> {
  const recipients = size === 1 ? '234803#######' : listOf(size)
  const callback = endpoint && `http://127.0.0.1:${String(endpoint.greeting.receiver_port)}/`
  const posted_before = (await endpoint?.ask())?.callbacks ?? 0
  const task: Task = {
    port,
    path: '/sms/send',
    headers: {},
    keys: [...keys],
    body: JSON.stringify({ recipients, content: 'Your order is on its way.', callback }),
    connections,
    seconds,
    warm: true,
    ...(requests !== undefined && { requests }),
  }
  const result = await runLoad(task)
  const { failures, failure } = result
  if (failures > 0) throw new Error(`${failures} of ${result.requests} requests failed: ${failure}`)
  if (endpoint) {
    await until('the callbacks', LIMIT_MS, async () => {
      return ((await endpoint.ask()).callbacks ?? 0) - posted_before >= result.requests * size
    })
  }
  await untilDone(db)
  return result
}

export function listOf(size: number): string {
  return Array.from({ length: size }, (_, n) => `234803${String(n).padStart(7, '0')}`).join(',')
}
