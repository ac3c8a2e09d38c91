import type { Db } from '../src/db/connect.ts'
import { readLog, readTables, settledTables, type LogRead, type TableCount } from './cost-counters.ts'
import { runLoad, servePostgres, type Database } from './processes.ts'
import { familyMs, processorMs } from './processor.ts'
import type { Figure } from './sends.ts'
import { smppLine, startGateway, startPeer, type Peer } from './smpp-line.ts'
import { until } from './until.ts'

const MESSAGES = Number(process.env.BENCH_COSTS ?? 20_000)
/** Before anything is counted. */
const WARM_UP = 3_000
const CONNECTIONS = 64
const LIMIT_MS = 240_000
/** What is rarer than one in so many messages is a matter of time, not of messages. */
const RARE = 200

/**
 * What a single message costs from the request to the last thing written about it, over an SMPP line whose other end
 * writes nothing: row versions, bytes of log, statements, processor time. With a callback, and without.
 */
export async function benchCosts(): Promise<Figure[]> {
  return [...(await measure(true)), ...(await measure(false))]
}

type Stage = { postgres: Database; peer: Peer; gateway: Peer; with_callback: boolean }

async function measure(with_callback: boolean): Promise<Figure[]> {
  const postgres = await servePostgres()
  const peer = await startPeer()
  const gateway = await startGateway(postgres.address, smppLine(Number(peer.greeting.smsc_port)))
  const stage = { postgres, peer, gateway, with_callback }
  await sendAll(stage, WARM_UP)
  const tables_before = await settledTables(postgres.db)
  await postgres.db.unsafe('checkpoint')
  await postgres.db`select pg_stat_statements_reset()`
  const before = await readNow(stage)
  await sendAll(stage, MESSAGES)
  const after = await readNow(stage)
  const tables_after = await settledTables(postgres.db)
  await gateway.stop()
  await checkDelivered(postgres.db, WARM_UP + MESSAGES)
  const { image_bytes } = await readLog(postgres.db, before.log_position, after.log_position)
  const full_pages = await readSetting(postgres.db, 'full_page_writes')
  await peer.stop()
  await postgres.stop()
  return [
    ...rowFigures(with_callback ? 'with a callback' : 'without a callback', readTables(tables_before, tables_after)),
    { name: '  bytes of log (WAL), from a checkpoint on', figure: logFigure(before, after, image_bytes, full_pages) },
    {
      name: '  statements · transactions that write',
      figure: `${each(after.statements)} · ${each(after.transactions - before.transactions)}`,
    },
    {
      name: '  processor time of PostgreSQL · of Node',
      figure: `${micros(after.postgres_ms - before.postgres_ms)} · ${micros(after.node_ms - before.node_ms)} µs`,
    },
  ]
}

/** Sends so many, one in a request, and waits until nothing is left to do about them. */
async function sendAll({ postgres, peer, gateway, with_callback }: Stage, messages: number): Promise<void> {
  const callback = with_callback ? `http://127.0.0.1:${String(peer.greeting.receiver_port)}/` : undefined
  const counted = with_callback ? 'callbacks' : 'reports_taken'
  const before = (await peer.ask())[counted] ?? 0
  const result = await runLoad({
    port: Number(new URL(String(gateway.greeting.url)).port),
    path: '/sms/send',
    headers: { authorization: String(gateway.greeting.key) },
    body: JSON.stringify({ recipients: '234803#######', content: 'Your order is on its way.', callback }),
    connections: CONNECTIONS,
    seconds: 0,
    requests: messages,
  })
  if (result.failures > 0) throw new Error(`${result.failures} of ${result.requests} requests failed`)
  await until(`${messages} ${counted}`, LIMIT_MS, async () => ((await peer.ask())[counted] ?? 0) - before >= messages)
  await until('nothing waits', LIMIT_MS, async () => {
    const left = await postgres.db`(select 1 from intake limit 1) union all (select 1 from jobs limit 1)`
    return left.length === 0
  })
}

type Now = LogRead & { statements: number; postgres_ms: number; node_ms: number }

/** Counters that can be read immediately, before the service's idle work adds to them. */
async function readNow({ postgres: { db, pid }, gateway }: Stage): Promise<Now> {
  const [postgres_ms, node_ms] = [familyMs(pid), processorMs(gateway.pid)]
  const [row] = await db<Pick<Now, 'statements' | 'log_position' | 'log_bytes' | 'transactions'>[]>`
    select pg_current_wal_insert_lsn()::text as log_position,
      (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as log_bytes,
      pg_snapshot_xmax(pg_current_snapshot())::text::float8 as transactions,
      (
        select coalesce(sum(calls), 0)::float8 from pg_stat_statements
        where query !~* '^(begin|commit|rollback)' and query !~* 'pg_stat|pg_current'
      ) as statements`
  if (!row) throw new Error('nothing was read')
  return { ...row, postgres_ms, node_ms }
}

async function checkDelivered(db: Db, messages: number): Promise<void> {
  const [row] = await db<{ delivered: number }[]>`
    select count(*)::integer as delivered from deliveries where status = 'delivered'`
  if (row?.delivered !== messages) throw new Error(`${row?.delivered ?? 0} of ${messages} were delivered`)
}

async function readSetting(db: Db, name: string): Promise<string> {
  const [row] = await db<{ setting: string }[]>`select current_setting(${name}) as setting`
  return row?.setting ?? '?'
}

function rowFigures(how: string, tables: readonly TableCount[]): Figure[] {
  const versions = ({ inserted, updated, deleted }: TableCount): number => inserted + updated + deleted
  const often = tables.filter((table) => versions(table) > MESSAGES / RARE)
  const total = tables.reduce((sum, table) => sum + versions(table), 0)
  const name = `${MESSAGES.toLocaleString('en')} single messages, ${CONNECTIONS} connections, ${how}: row versions each`
  return [
    { name, figure: each(total) },
    ...often
      .toSorted((a, b) => versions(b) - versions(a))
      .map((table) => ({ name: `  ${table.name}`, figure: tableFigure(table, versions(table)) })),
  ]
}

function tableFigure({ inserted, updated, deleted, in_place }: TableCount, versions: number): string {
  const parts = [
    ...(inserted > 0 ? [`${each(inserted)} inserted`] : []),
    ...(updated > 0 ? [`${each(updated)} updated, ${Math.round((100 * in_place) / updated)} % of them in place`] : []),
    ...(deleted > 0 ? [`${each(deleted)} deleted`] : []),
  ]
  return `${each(versions)} (${parts.join('; ')})`
}

function logFigure(before: Now, after: Now, image_bytes: number | undefined, full_pages: string): string {
  const bytes = (count: number): string => Math.round(count / MESSAGES).toLocaleString('en')
  const images = image_bytes === undefined ? '' : `, ${bytes(image_bytes)} of them whole pages`
  return `${bytes(after.log_bytes - before.log_bytes)}${images} (full_page_writes ${full_pages})`
}

function each(count: number): string {
  return (count / MESSAGES).toFixed(2)
}

function micros(ms: number): string {
  return Math.round((1_000 * ms) / MESSAGES).toLocaleString('en')
}
