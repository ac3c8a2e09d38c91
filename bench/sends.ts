import { runLoad, serveEcho, serveGangan, type Served } from './processes.ts'
import type { Result, Task } from './load.ts'
import { WARM_UP_S } from './warm-up.ts'

export type Figure = { name: string; figure: string }

const SECONDS = Number(process.env.BENCH_SECONDS ?? 6)
const SINGLE = '{"recipients":"234803#######","content":"Your order is on its way.","external_ref":"#######"}'
const THOUSAND = JSON.stringify({
  recipients: Array.from({ length: 1_000 }, (_, n) => `234803${String(n).padStart(7, '0')}`).join(','),
  content: 'Your order is on its way.',
})

/** Accepting messages: each is on disk, charged and in line before it is answered. */
export async function benchSends(): Promise<Figure[]> {
  const echo = await serveEcho()
  const bare = await runLoad(task(echo.port, '/', SINGLE, 64))
  await echo.stop()

  const gangan = await serveGangan()
  const single = await measured(gangan, task(gangan.port, '/sms/send', SINGLE, 64, gangan.key))
  const thousand = await measured(gangan, task(gangan.port, '/sms/send', THOUSAND, 8, gangan.key))
  await gangan.stop()

  const share = Math.round((100 * single.rate) / rateOf(bare))
  return [
    { name: 'bare node:http echo, 64 connections', figure: line(bare, rateOf(bare), 'requests/s') },
    { name: 'one recipient a request, 64 connections', figure: line(single.result, single.rate, 'messages/s') },
    { name: '  as a share of the bare echo', figure: `${share} %` },
    { name: '  statements and commits per request, with dispatch', figure: single.statements },
    {
      name: '1,000 recipients a request, 8 connections',
      figure: line(thousand.result, 1_000 * thousand.rate, 'messages/s'),
    },
    { name: '  statements and commits per request, with dispatch', figure: thousand.statements },
  ]
}

function task(port: number, path: string, body: string, connections: number, key = ''): Task {
  return { port, path, body, connections, seconds: SECONDS, headers: key ? { authorization: key } : {} }
}

async function measured({ db }: Served, load: Task): Promise<{ result: Result; rate: number; statements: string }> {
  await db`select pg_stat_statements_reset()`
  const commits_before = await commits(db)
  const result = await runLoad(load)
  const [row] = await db<{ calls: bigint }[]>`
    select coalesce(sum(calls), 0)::bigint as calls from pg_stat_statements
    where query !~* '^(begin|commit|rollback)' and query !~* 'pg_stat'`
  const total = result.requests * (1 + WARM_UP_S / result.seconds) // the warm-up, too
  const per = (count: number): string => (count / total).toFixed(2)
  const statements = `${per(Number(row?.calls ?? 0))} and ${per((await commits(db)) - commits_before)}`
  return { result, rate: rateOf(result), statements }
}

async function commits(db: Served['db']): Promise<number> {
  const [row] = await db<{ commits: number }[]>`
    select xact_commit::float8 as commits from pg_stat_database where datname = current_database()`
  return row?.commits ?? 0
}

function rateOf({ requests, seconds }: Result): number {
  return requests / seconds
}

function line(result: Result, rate: number, unit: string): string {
  const failed = result.failures > 0 ? `, ${result.failures} FAILED` : ''
  return `${Math.round(rate).toLocaleString('en')} ${unit}, p50 ${result.p50_ms} ms, p99 ${result.p99_ms} ms${failed}`
}
