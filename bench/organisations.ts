import { compared, measureInRounds, type Builds } from './builds.ts'
import { benchNeighbours } from './neighbours.ts'
import { makeKeys, measureSends, sendAll } from './measure-sends.ts'
import { serveGangan, servePostgres, type Database, type Served } from './processes.ts'
import type { Figure } from './sends.ts'
import { startPeer, type Peer } from './smpp-line.ts'
import { WARM_UP_MESSAGES } from './warm-up.ts'

const CONNECTIONS = 64
const ORGANISATIONS = [1, 8, 64, 1_000] as const

export type Stage = { postgres: Database; gangan: Served; keys: string[]; endpoint: Peer }

/**
 * Single sends of few organisations or many at the same time, from the request to the handset, and to the callback. Then
 * how long small organisations wait while a large one sends lists.
 */
export async function benchOrganisations({ builds, rounds }: Builds): Promise<Figure[]> {
  const stages: Stage[] = []
  for (const build of builds) stages.push(await open(build))
  const figures: Figure[] = []
  for (const with_callback of [false, true]) {
    for (const count of ORGANISATIONS) {
      const seen = await measureInRounds(stages, rounds, (stage) => {
        return measure(stage, count, with_callback, builds.length > 1)
      })
      figures.push(...figuresOf(seen, count, with_callback))
    }
  }
  figures.push(...(await benchNeighbours(stages)))
  for (const { gangan, postgres, endpoint } of stages) {
    await gangan.stop()
    await endpoint.stop()
    await postgres.stop()
  }
  return figures
}

async function open(build: string): Promise<Stage> {
  const postgres = await servePostgres()
  const gangan = await serveGangan({}, [], postgres, build)
  const endpoint = await startPeer()
  const keys = await makeKeys(gangan.db, Math.max(...ORGANISATIONS))
  const sends = { keys: keys.slice(0, 1), size: 1, connections: CONNECTIONS, requests: WARM_UP_MESSAGES / 2 }
  await sendAll(gangan, sends)
  await sendAll(gangan, { ...sends, endpoint })
  return { postgres, gangan, keys, endpoint }
}

type Measured = 'accepted' | 'delivered' | 'p50_ms' | 'p99_ms' | 'main_us' | 'other_us' | 'postgres_us' | 'statements'

async function measure(
  { postgres, gangan, keys, endpoint }: Stage,
  count: number,
  with_callback: boolean,
  is_comparison: boolean,
): Promise<Record<Measured, number>> {
  const { db } = gangan
  const seen = await measureSends(
    gangan,
    {
      keys: keys.slice(0, count),
      size: 1,
      connections: CONNECTIONS,
      // On a busy machine a time would be too few messages to compare.
      ...(is_comparison && { requests: count === 1 ? 4_000 : 1_000 }),
      endpoint: with_callback ? endpoint : undefined,
    },
    [postgres.pid],
    () => db`select pg_stat_statements_reset()`,
  )
  const [row] = await db<{ calls: number }[]>`
    select coalesce(sum(calls), 0)::float8 as calls from pg_stat_statements
    where query !~* '^(begin|commit|rollback)' and query !~* 'pg_stat'`
  const { accepted, delivered, p50_ms, p99_ms, main_us } = seen
  return {
    accepted,
    delivered,
    p50_ms,
    p99_ms,
    main_us,
    other_us: seen.node_us - main_us,
    postgres_us: seen.postgres_us[0] ?? NaN,
    statements: (row?.calls ?? 0) / seen.messages,
  }
}

function figuresOf(seen: Record<Measured, number>[], count: number, with_callback: boolean): Figure[] {
  const values = (name: Measured, digits = 0): string =>
    compared(
      seen.map((one) => one[name]),
      digits,
    )
  const all_us = seen.map((one) => one.main_us + one.other_us + one.postgres_us)
  const who = `${count.toLocaleString('en')} ${count === 1 ? 'organisation' : 'organisations'}`
  return [
    {
      name: `${who}, ${CONNECTIONS} connections${with_callback ? ', with callbacks' : ''}: accepted a second`,
      figure: `${values('accepted')}, p50 ${values('p50_ms', 1)} ms, p99 ${values('p99_ms', 1)} ms`,
    },
    { name: '  delivered a second', figure: values('delivered') },
    { name: '  processor time of Node, main thread', figure: `${values('main_us')} µs` },
    { name: '  processor time of Node, other threads', figure: `${values('other_us')} µs` },
    { name: '  processor time of PostgreSQL', figure: `${values('postgres_us')} µs` },
    { name: '  processor time, all', figure: `${compared(all_us)} µs` },
    { name: '  statements', figure: values('statements', 2) },
  ]
}
