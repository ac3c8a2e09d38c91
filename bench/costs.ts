import type { Db } from '../src/db/connect.ts'
import { compared, measureInRounds, THIS_BUILD, type Builds } from './builds.ts'
import { readLog, readTables, settledTables, type LogRead, type TableCount } from './cost-counters.ts'
import { runLoad, servePostgres, type Database } from './processes.ts'
import { familyMs, mainThreadMs, processorMs } from './processor.ts'
import type { Figure } from './sends.ts'
import { smppLine, startGateway, startPeer, type Peer } from './smpp-line.ts'
import { until } from './until.ts'
import { WARM_UP_MESSAGES } from './warm-up.ts'

const MESSAGES = Number(process.env.BENCH_COSTS ?? 20_000)
const CONNECTIONS = 64
const LIMIT_MS = 240_000
/** What is rarer than one in so many messages is a matter of time, not of messages. */
const RARE = 200

/**
 * What a single message costs from the request to the last thing written about it, over an SMPP line whose other end
 * writes nothing: row versions, bytes of log, statements, processor time. With a callback, and without.
 */
export async function benchCosts({ builds, rounds }: Builds): Promise<Figure[]> {
  if (MESSAGES % rounds !== 0)
    throw new Error(`${MESSAGES} messages (BENCH_COSTS) cannot be divided into ${rounds} rounds.`)
  const stages: Stage[] = []
  for (const build of builds) stages.push(await open(build))
  const figures: Figure[] = []
  for (const with_callback of [true, false]) {
    const tables_before = await Promise.all(stages.map(({ postgres }) => settledTables(postgres.db)))
    for (const { postgres } of stages) await postgres.db.unsafe('checkpoint')
    const seen = await measureInRounds(stages, rounds, (stage) => measure(stage, MESSAGES / rounds, with_callback))
    const tables_after = await Promise.all(stages.map(({ postgres }) => settledTables(postgres.db)))
    const tables = tables_after.map((after, n) => readTables(tables_before[n] ?? [], after))
    figures.push(...rowFigures(with_callback ? 'with a callback' : 'without a callback', tables), ...figuresOf(seen))
  }
  for (const stage of stages) await close(stage)
  return figures
}

/** The same with two carriers, in their order and chosen by evidence. */
export async function benchChoice({ rounds }: Pick<Builds, 'rounds'>): Promise<Figure[]> {
  const ways = [{ choose: 'order' }, { choose: 'evidence', evidence: { follow_percent: 100 } }]
  const stages: Stage[] = []
  for (const choose of ways) stages.push(await open(THIS_BUILD, choose))
  const seen = await measureInRounds(stages, rounds, (stage) => measure(stage, Math.floor(MESSAGES / rounds), false))
  for (const { gateway, peer, postgres } of stages) {
    await gateway.stop()
    await peer.stop()
    await postgres.stop()
  }
  const name = `${MESSAGES.toLocaleString('en')} single messages over two carriers: in order → by evidence`
  return [{ name, figure: '' }, ...figuresOf(seen)]
}

type Stage = { postgres: Database; peer: Peer; gateway: Peer }

async function open(build: string, choose?: object): Promise<Stage> {
  const postgres = await servePostgres()
  const peer = await startPeer()
  const gateway = await startGateway(postgres.address, smppLine(Number(peer.greeting.smsc_port)), build, choose)
  const stage = { postgres, peer, gateway }
  for (const with_callback of [true, false]) await sendAll(stage, WARM_UP_MESSAGES / 2, with_callback)
  return stage
}

async function close({ postgres, peer, gateway }: Stage): Promise<void> {
  await gateway.stop()
  await checkDelivered(postgres.db, WARM_UP_MESSAGES + 2 * MESSAGES)
  await peer.stop()
  await postgres.stop()
}

type Measured =
  | 'log_bytes'
  | 'image_bytes'
  | 'statements'
  | 'transactions'
  | 'postgres_us'
  | 'node_us'
  | 'main_us'
  | 'other_us'
  | 'all_us'

/** Each figure per message. */
async function measure(stage: Stage, messages: number, with_callback: boolean): Promise<Record<Measured, number>> {
  const { db } = stage.postgres
  await db`select pg_stat_statements_reset()`
  const before = await readNow(stage)
  await sendAll(stage, messages, with_callback)
  const after = await readNow(stage)
  const { image_bytes } = await readLog(db, before.log_position, after.log_position)
  const [postgres_ms, node_ms] = [after.postgres_ms - before.postgres_ms, after.node_ms - before.node_ms]
  const main_ms = after.main_ms - before.main_ms
  return {
    log_bytes: (after.log_bytes - before.log_bytes) / messages,
    image_bytes: (image_bytes ?? NaN) / messages,
    statements: after.statements / messages,
    transactions: (after.transactions - before.transactions) / messages,
    postgres_us: (1_000 * postgres_ms) / messages,
    node_us: (1_000 * node_ms) / messages,
    main_us: (1_000 * main_ms) / messages,
    other_us: (1_000 * (node_ms - main_ms)) / messages,
    all_us: (1_000 * (postgres_ms + node_ms)) / messages,
  }
}

function figuresOf(seen: readonly Record<Measured, number>[]): Figure[] {
  const values = (name: Measured, digits = 0): string =>
    compared(
      seen.map((one) => one[name]),
      digits,
    )
  const images = seen.every(({ image_bytes }) => image_bytes >= 0)
    ? `, ${values('image_bytes')} of them whole pages`
    : ''
  return [
    { name: '  bytes of log (WAL), from a checkpoint on', figure: `${values('log_bytes')}${images}` },
    {
      name: '  statements · transactions that write',
      figure: `${values('statements', 2)} · ${values('transactions', 2)}`,
    },
    { name: '  processor time of PostgreSQL · of Node', figure: `${values('postgres_us')} · ${values('node_us')} µs` },
    { name: '  of Node: main thread · other threads', figure: `${values('main_us')} · ${values('other_us')} µs` },
    { name: '  of both', figure: `${values('all_us')} µs` },
  ]
}

/** Sends so many, one in a request, and waits until nothing is left to do about them. */
async function sendAll({ postgres, peer, gateway }: Stage, messages: number, with_callback: boolean): Promise<void> {
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

type Now = LogRead & { statements: number; postgres_ms: number; node_ms: number; main_ms: number }

/** Counters that can be read immediately, before the service's idle work adds to them. */
async function readNow({ postgres: { db, pid }, gateway }: Stage): Promise<Now> {
  const spent = { postgres_ms: familyMs(pid), node_ms: processorMs(gateway.pid), main_ms: mainThreadMs(gateway.pid) }
  const [row] = await db<Pick<Now, 'statements' | 'log_position' | 'log_bytes' | 'transactions'>[]>`
    select pg_current_wal_insert_lsn()::text as log_position,
      (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as log_bytes,
      pg_snapshot_xmax(pg_current_snapshot())::text::float8 as transactions,
      (
        select coalesce(sum(calls), 0)::float8 from pg_stat_statements
        where query !~* '^(begin|commit|rollback)' and query !~* 'pg_stat|pg_current'
      ) as statements`
  if (!row) throw new Error('nothing was read')
  return { ...row, ...spent }
}

async function checkDelivered(db: Db, messages: number): Promise<void> {
  const [row] = await db<{ delivered: number }[]>`
    select count(*)::integer as delivered from deliveries where status = 'delivered'`
  if (row?.delivered !== messages) throw new Error(`${row?.delivered ?? 0} of ${messages} were delivered`)
}

/** Tables of one build by what was done with their rows; of two builds only how many row versions. */
function rowFigures(how: string, builds: readonly (readonly TableCount[])[]): Figure[] {
  const versions = ({ inserted, updated, deleted }: TableCount): number => inserted + updated + deleted
  const of = (tables: readonly TableCount[], name: string) => tables.find((table) => table.name === name)
  const count = (name: string): number[] =>
    builds.map((tables) => {
      const table = of(tables, name)
      return table === undefined ? 0 : versions(table) / MESSAGES
    })
  const total = builds.map((tables) => tables.reduce((sum, table) => sum + versions(table), 0) / MESSAGES)
  const often = [...new Set(builds.flat().map(({ name }) => name))]
    .filter((name) => count(name).some((versions_each) => versions_each > 1 / RARE))
    .toSorted((a, b) => Math.max(...count(b)) - Math.max(...count(a)))
  const name = `${MESSAGES.toLocaleString('en')} single messages, ${CONNECTIONS} connections, ${how}: row versions each`
  return [
    { name, figure: compared(total, 2) },
    ...often.map((table) => {
      const known = builds.length === 1 ? of(builds[0] ?? [], table) : undefined
      return { name: `  ${table}`, figure: `${compared(count(table), 2)}${known ? tableFigure(known) : ''}` }
    }),
  ]
}

function tableFigure({ inserted, updated, deleted, in_place }: TableCount): string {
  const parts = [
    ...(inserted > 0 ? [`${each(inserted)} inserted`] : []),
    ...(updated > 0 ? [`${each(updated)} updated, ${Math.round((100 * in_place) / updated)} % of them in place`] : []),
    ...(deleted > 0 ? [`${each(deleted)} deleted`] : []),
  ]
  return ` (${parts.join('; ')})`
}

function each(count: number): string {
  return (count / MESSAGES).toFixed(2)
}
