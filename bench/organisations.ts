import { makeKeys, measureSends } from './measure-sends.ts'
import { serveGangan, servePostgres, type Served } from './processes.ts'
import type { Figure } from './sends.ts'

const CONNECTIONS = 64
const ORGANISATIONS = [1, 8, 64] as const

/** Single sends of few organisations or many at the same time, from the request to the handset. */
export async function benchOrganisations(): Promise<Figure[]> {
  const postgres = await servePostgres()
  const gangan = await serveGangan({}, [], postgres)
  const keys = await makeKeys(gangan.db, Math.max(...ORGANISATIONS))
  const figures: Figure[] = []
  for (const count of ORGANISATIONS) figures.push(...(await measure(gangan, postgres.pid, keys.slice(0, count))))
  await gangan.stop()
  await postgres.stop()
  return figures
}

async function measure(gangan: Served, postgres_pid: number, keys: string[]): Promise<Figure[]> {
  const { db } = gangan
  const wish = { keys, size: 1, connections: CONNECTIONS }
  const seen = await measureSends(gangan, wish, [postgres_pid], () => db`select pg_stat_statements_reset()`)
  const [row] = await db<{ calls: number }[]>`
    select coalesce(sum(calls), 0)::float8 as calls from pg_stat_statements
    where query !~* '^(begin|commit|rollback)' and query !~* 'pg_stat'`
  const whole = (value = 0): string => Math.round(value).toLocaleString('en')
  return [
    {
      name: `${keys.length} ${keys.length === 1 ? 'organisation' : 'organisations'}, ${CONNECTIONS} connections: accepted a second`,
      figure: `${whole(seen.accepted)}, p50 ${seen.p50_ms} ms, p99 ${seen.p99_ms} ms`,
    },
    { name: '  delivered a second', figure: whole(seen.delivered) },
    {
      name: '  processor a message, Node + PostgreSQL; statements',
      figure: `${whole(seen.node_us)} + ${whole(seen.postgres_us[0])} µs; ${((row?.calls ?? 0) / seen.messages).toFixed(2)}`,
    },
  ]
}
