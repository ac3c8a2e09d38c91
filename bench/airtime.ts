import { compared, measureInRounds, type Builds } from './builds.ts'
import { makeKeys } from './measure-sends.ts'
import { runLoad, serveGangan, servePostgres, type Database, type Served } from './processes.ts'
import { familyMs, processorMs } from './processor.ts'
import type { Figure } from './sends.ts'
import { until } from './until.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 6)
const CONNECTIONS = 64
const ORGANISATIONS = [1, 64] as const
const LIMIT_MS = 240_000

type Stage = { postgres: Database; gangan: Served; keys: string[]; runs: number }
type Measured = 'accepted' | 'ended' | 'p50_ms' | 'p99_ms' | 'node_us' | 'postgres_us' | 'statements'

/** Purchases of one organisation and of many, from the request until each has ended at the simulated vendor. */
export async function benchAirtime({ builds, rounds }: Builds): Promise<Figure[]> {
  const stages: Stage[] = []
  for (const build of builds) {
    const postgres = await servePostgres()
    const gangan = await serveGangan({}, [], postgres, build)
    const stage = { postgres, gangan, keys: await makeKeys(gangan.db, Math.max(...ORGANISATIONS)), runs: 0 }
    stages.push(stage)
    await buy(stage, 1)
  }
  const figures: Figure[] = []
  for (const count of ORGANISATIONS) {
    figures.push(...figuresOf(await measureInRounds(stages, rounds, (stage) => measure(stage, count)), count))
  }
  for (const { gangan, postgres } of stages) {
    await gangan.stop()
    await postgres.stop()
  }
  return figures
}

async function measure(stage: Stage, count: number): Promise<Record<Measured, number>> {
  const { gangan, postgres } = stage
  const { db, pid } = gangan
  await db`select pg_stat_statements_reset()`
  const [node_before, postgres_before] = [processorMs(pid), familyMs(postgres.pid)]
  const began = performance.now()
  const { requests, seconds, p50_ms, p99_ms } = await buy(stage, count)
  const elapsed_s = (performance.now() - began) / 1_000
  const [node_ms, postgres_ms] = [processorMs(pid) - node_before, familyMs(postgres.pid) - postgres_before]
  const [row] = await db<{ calls: number }[]>`
    select coalesce(sum(calls), 0)::float8 as calls from pg_stat_statements
    where query !~* '^(begin|commit|rollback)' and query !~* 'pg_stat'`
  return {
    accepted: requests / seconds,
    ended: requests / elapsed_s,
    p50_ms,
    p99_ms,
    node_us: (1_000 * node_ms) / requests,
    postgres_us: (1_000 * postgres_ms) / requests,
    statements: (row?.calls ?? 0) / requests,
  }
}

/** Buys, and waits until every purchase has ended with success. */
async function buy(stage: Stage, count: number) {
  const { db, port } = stage.gangan
  stage.runs += 1
  // Another reference for each run: a repeated purchase would be a duplicate.
  const wish = { network: 'MTN', amount: 100, recipient: '234803#######', external_ref: `${stage.runs}-#######` }
  const result = await runLoad({
    port,
    path: '/airtime/buy',
    body: JSON.stringify(wish),
    headers: {},
    keys: stage.keys.slice(0, count),
    connections: CONNECTIONS,
    seconds: SECONDS,
    warm: true,
  })
  const { failures, failure } = result
  if (failures > 0) throw new Error(`${failures} purchases failed: ${failure}`)
  await until('the purchases', LIMIT_MS, async () => {
    const open = await db`select 1 from jobs where queue = 'airtime' limit 1`
    return open.length === 0
  })
  const bad = await db`select 1 from purchases where status <> 'success' limit 1`
  if (bad.length > 0) throw new Error('a purchase was not a success')
  return result
}

function figuresOf(seen: Record<Measured, number>[], count: number): Figure[] {
  const values = (name: Measured, digits = 0): string =>
    compared(
      seen.map((one) => one[name]),
      digits,
    )
  return [
    {
      name: `${count} ${count === 1 ? 'organisation' : 'organisations'}, ${CONNECTIONS} connections: purchases accepted a second`,
      figure: `${values('accepted')}, p50 ${values('p50_ms', 1)} ms, p99 ${values('p99_ms', 1)} ms`,
    },
    { name: '  ended a second, from the first request to the last end', figure: values('ended') },
    { name: '  processor time of Node', figure: `${values('node_us')} µs` },
    { name: '  processor time of PostgreSQL', figure: `${values('postgres_us')} µs` },
    { name: '  statements', figure: values('statements', 2) },
  ]
}
