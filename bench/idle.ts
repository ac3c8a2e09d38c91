import { setTimeout } from 'node:timers/promises'
import { serveGangan, servePostgres, type Database } from './processes.ts'
import { familyMs, processorMs } from './processor.ts'
import type { Figure } from './sends.ts'

/** After the start Node compiles, and the polls have not slowed down yet. */
const SETTLED_AFTER_MS = 60_000
const MEASURED_MS = 60_000

/** Processor time and statements of an installation with the default configuration that has nothing to do. */
export async function benchIdle(): Promise<Figure[]> {
  const postgres = await servePostgres()
  const gangan = await serveGangan({}, [], postgres)
  const readNow = async () => ({
    at_ms: performance.now(),
    node_ms: processorMs(gangan.pid),
    postgres_ms: familyMs(postgres.pid),
    ...(await countStatements(postgres)),
  })
  await setTimeout(SETTLED_AFTER_MS)
  const before = await readNow()
  await setTimeout(MEASURED_MS)
  const after = await readNow()
  await gangan.stop()
  await postgres.stop()
  const each = (name: keyof typeof before): number => (after[name] - before[name]) / (after.at_ms - before.at_ms)
  const percent = (share: number): string => `${(100 * share).toFixed(2)} %`
  return [
    {
      name: 'processor time of Node · of PostgreSQL, share of a core',
      figure: `${percent(each('node_ms'))} · ${percent(each('postgres_ms'))}`,
    },
    {
      name: 'transactions · statements',
      figure: `${(1_000 * each('transactions')).toFixed(1)} · ${(1_000 * each('statements')).toFixed(1)} /s`,
    },
  ]
}

async function countStatements({ db }: Database): Promise<{ transactions: number; statements: number }> {
  const [row] = await db<{ transactions: number; statements: number }[]>`
    select (xact_commit + xact_rollback)::float8 as transactions,
      (select sum(calls)::float8 from pg_stat_statements) as statements
    from pg_stat_database where datname = current_database()`
  return row ?? { transactions: 0, statements: 0 }
}
