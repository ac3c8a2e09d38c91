import { createKey } from '../src/organisations/keys.ts'
import { foundOrganisation } from '../test/support/organisation.ts'
import type { Task } from './load.ts'
import { runLoad, serveGangan, servePostgres, type Served } from './processes.ts'
import { familyMs, processorMs } from './processor.ts'
import type { Figure } from './sends.ts'
import { countDelivered, untilDone } from './whole-way.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 6)
const CONNECTIONS = 64
const CREDIT = 10n ** 15n
const ORGANISATIONS = [1, 8, 64] as const

/** Single sends of few organisations or many at the same time, from the door to the phone. */
export async function benchOrganisations(): Promise<Figure[]> {
  const postgres = await servePostgres()
  const gangan = await serveGangan({}, [], postgres)
  const keys: string[] = []
  for (let n = 0; n < Math.max(...ORGANISATIONS); n += 1) {
    const id = await foundOrganisation(gangan.db, CREDIT)
    const wish = { name: 'bench', scopes: null, expires_datetime: null }
    keys.push((await createKey({ db: gangan.db }, id, 'live', wish)).key)
  }
  const figures: Figure[] = []
  for (const count of ORGANISATIONS) figures.push(...(await measure(gangan, postgres.pid, keys.slice(0, count))))
  await gangan.stop()
  await postgres.stop()
  return figures
}

async function measure({ db, port, pid }: Served, postgres_pid: number, keys: string[]): Promise<Figure[]> {
  const task: Task = {
    port,
    path: '/sms/send',
    headers: {},
    keys,
    body: '{"recipients":"234803#######","content":"Your order is on its way."}',
    connections: CONNECTIONS,
    seconds: SECONDS,
    warm: true,
  }
  await runLoad({ ...task, seconds: 2 })
  await untilDone(db)
  const before = await countDelivered(db)
  await db`select pg_stat_statements_reset()`
  const spent_before = [processorMs(pid), familyMs(postgres_pid)]
  const began = performance.now()
  const { requests, failures, failure, seconds, p50_ms, p99_ms } = await runLoad(task)
  if (failures > 0) throw new Error(`${failures} of ${requests} requests failed: ${failure}`)
  await untilDone(db)
  const elapsed_s = (performance.now() - began) / 1_000
  const spent = [processorMs(pid), familyMs(postgres_pid)].map((ms, n) => ms - (spent_before[n] ?? 0))
  const [row] = await db<{ calls: number }[]>`
    select coalesce(sum(calls), 0)::float8 as calls from pg_stat_statements
    where query !~* '^(begin|commit|rollback)' and query !~* 'pg_stat'`
  const delivered = (await countDelivered(db)) - before
  const whole = (value: number): string => Math.round(value).toLocaleString('en')
  const of = (ms = 0): string => whole((1_000 * ms) / delivered)
  return [
    {
      name: `${keys.length} ${keys.length === 1 ? 'organisation' : 'organisations'}, ${CONNECTIONS} connections: accepted a second`,
      figure: `${whole(requests / seconds)}, p50 ${p50_ms} ms, p99 ${p99_ms} ms`,
    },
    { name: '  delivered a second', figure: whole(delivered / elapsed_s) },
    {
      name: '  processor a message, Node + PostgreSQL; statements',
      figure: `${of(spent[0])} + ${of(spent[1])} µs; ${((row?.calls ?? 0) / delivered).toFixed(2)}`,
    },
  ]
}
