import { createHash } from 'node:crypto'
import { Pool, Query, types, type ClientBase, type PoolConfig, type QueryResult } from 'pg'
import { arrayLiteral } from './array.ts'
import { makeNodeRegistry, type NodeRegistry } from './cluster/node-registry.ts'
import { watchForSilence, type SilenceWatch } from './silence.ts'
import { makeSql, type Rows, type Sql, type Written } from './sql.ts'

/**
 * The database. Rows keep their SQL names; `bigint` columns are BigInt and timestamps are text in the form the API
 * answers with.
 */
export type Db = Sql & {
  readonly pool: Pool
  readonly address: DatabaseAddress
  /** Its tables are distributed over a cluster (Citus); set by `detectLayout`. Only db/ and cli/ read it. */
  distributed: boolean
  /** The nodes of the cluster known to this process. */
  readonly nodes: NodeRegistry
  /** Pools of the same kind to each node, for direct queries. */
  readonly by_node: Map<string, Db>
  /** Also for connections outside the pool. */
  readonly silence: SilenceWatch
  /** Text without values, several statements if need be: migrations and the like. */
  unsafe<T extends readonly object[] = object[]>(text: string): Promise<Rows<T>>
  /** Closes all connections, at the latest after the time-out. */
  end(options?: { timeout: number }): Promise<void>
}

const joined: unique symbol = Symbol('joined')

/** A connection inside an open transaction. A function that takes a `Tx` joins it; one that takes a `Db` opens one. */
export type Tx = Sql & {
  readonly [joined]: true
  readonly distributed: boolean
  unsafe<T extends readonly object[] = object[]>(text: string): Promise<Rows<T>>
}

export type DatabaseAddress =
  | { url: string }
  | { host: string; port: number; user: string; password: string; database: string }

export type ConnectOptions = {
  connections?: number
  /** How long a new connection may take. */
  connect_timeout_ms?: number | undefined
  application_name?: string
  /** `each`: custom plans. `kept`: generic plans. `node`: on a node of a cluster. */
  plans?: keyof typeof PLANS
  distributed?: boolean
  nodes?: NodeRegistry
  /** Called for every statement that was answered. */
  onAnswer?: () => void
}

/** For reads, lists and searches; each statement is planned for its values. */
export const CONNECTIONS = 12
/** Names the connections of commands; those of a process that serves are named by `processes.ts`. */
const APPLICATION = 'gangan'
const CONNECT_TIMEOUT_MS = 5_000
const SETTINGS = ['TimeZone=UTC', 'statement_timeout=60000', 'idle_in_transaction_session_timeout=30000', 'jit=off']
/** For statements that only look up by key: whatever the tables hold there is one good plan, and these settings force it. */
const BY_KEY = ['enable_seqscan=off', 'enable_hashjoin=off', 'enable_mergejoin=off', 'enable_bitmapscan=off']
const PLANS = {
  // A plan made while a table was small would be kept while it grows.
  each: ['plan_cache_mode=force_custom_plan'],
  // Planning a batch took as long as executing it.
  kept: ['plan_cache_mode=force_generic_plan', ...BY_KEY],
  // Citus (13.2.2, 14.0) replans a prepared statement each time and leaks these plans.
  node: ['plan_cache_mode=force_custom_plan', ...BY_KEY],
}

export function connect(address: DatabaseAddress, options: ConnectOptions = {}): Db {
  const pool = new Pool({
    ...poolAddress(address),
    max: options.connections ?? CONNECTIONS,
    connectionTimeoutMillis: options.connect_timeout_ms ?? CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 0,
    application_name: options.application_name ?? APPLICATION,
    options: [...SETTINGS, ...plansOf(options)].map((setting) => `-c ${setting}`).join(' '),
    types: { getTypeParser },
    pipeline: true,
  })
  pool.on('error', () => {}) // an idle connection broke; the next statement gets a new one
  const silence = watchForSilence(pool.options)
  pool.on('connect', (client) => {
    // It may break while idle, without a listener: the next statement rejects.
    client.on('error', () => {})
    silence.watch(client)
  })
  const by_node = new Map<string, Db>()
  return Object.assign(
    makeSql((written) => sendOn(pool, written, options.onAnswer)),
    {
      pool,
      address,
      silence,
      by_node,
      distributed: options.distributed ?? false,
      nodes: options.nodes ?? makeNodeRegistry(),
      unsafe: async <T extends readonly object[]>(text: string) => rowsOf<T>(await pool.query(text)),
      end: async ({ timeout }: { timeout: number } = { timeout: 5 }) => {
        const nodes = [...by_node.values()].map((node) => endPool(node.pool, node.silence, timeout))
        await Promise.all([endPool(pool, silence, timeout), ...nodes])
      },
    },
  )
}

/** Further connections to the same database, of another kind. */
export function connectBeside(db: Db, options: ConnectOptions): Db {
  const { connectionTimeoutMillis: connect_timeout_ms, application_name = APPLICATION } = db.pool.options
  const kept = { distributed: db.distributed, nodes: db.nodes, connect_timeout_ms, application_name }
  return connect(db.address, { ...kept, ...options })
}

/** On a cluster the organisation must be known before planning; the nodes cache their own plans. */
function plansOf({ plans = 'each', distributed = false }: ConnectOptions): readonly string[] {
  return PLANS[distributed && plans === 'kept' ? 'each' : plans]
}

/** The tag for one connection. */
export function sqlOn(client: ClientBase, distributed: boolean): Tx {
  return Object.assign(
    makeSql((written) => sendOn(client, written)),
    {
      [joined]: true as const,
      distributed,
      unsafe: async <T extends readonly object[]>(text: string) => rowsOf<T>(await client.query(text)),
    },
  )
}

type Target = { query(query: Query, callback: (fault: Error | undefined, result: QueryResult<object>) => void): void }

/** Passes a prepared `Query`: from anything else the driver constructs one, which takes as long again. */
async function sendOn<T extends readonly object[]>(
  target: Target,
  { text, values, prepared }: Written,
  onAnswer?: () => void,
): Promise<Rows<T>> {
  const bound = values.map((value) => (Array.isArray(value) ? arrayLiteral(value) : value))
  const query = new Query(text, bound)
  if (prepared) Object.assign(query, { name: nameOf(text) })
  try {
    return await new Promise((resolve, reject) => {
      target.query(query, (fault, result) => {
        if (fault) return reject(fault)
        onAnswer?.()
        resolve(rowsOf<T>(result))
      })
    })
  } catch (fault) {
    if (fault instanceof Error) Error.captureStackTrace(fault) // with the stack of the caller
    throw fault
  }
}

function rowsOf<T extends readonly object[] = object[]>({ rows, rowCount }: QueryResult<object>): Rows<T> {
  const counted: readonly object[] = rows ?? []
  becomeRows<T>(counted, rowCount ?? 0)
  return counted
}

/** The only place where a statement's declared row type is trusted. */
function becomeRows<T extends readonly object[]>(rows: readonly object[], count: number): asserts rows is Rows<T> {
  Object.defineProperty(rows, 'count', { value: count })
}

const names = new Map<string, string>()

/** Statements are known to the server by the hash of their text, the same on every connection. */
function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha1').update(text).digest('base64url')
    names.set(text, name)
  }
  return name
}

async function endPool(pool: Pool, silence: SilenceWatch, timeout_s: number): Promise<void> {
  if (pool.ended || pool.ending) return
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeout_s * 1_000)
  })
  await Promise.race([pool.end(), late])
  clearTimeout(timer)
  silence.close()
}

/** `postgres:///name?host=/run/postgresql` names a Unix socket, as libpq has it; the driver wants it apart. */
function poolAddress(address: DatabaseAddress): PoolConfig {
  if (!('url' in address)) return address
  const url = new URL(address.url)
  const host = url.searchParams.get('host')
  if (host === null) return { connectionString: address.url }
  return {
    host,
    port: Number(url.searchParams.get('port') ?? 5432),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
  }
}

const BIGINT = types.builtins.INT8
const TIMESTAMPTZ = types.builtins.TIMESTAMPTZ

const getTypeParser = ((oid, format) => {
  if (oid === BIGINT) return BigInt
  if (oid === TIMESTAMPTZ) return answerTimestamp
  return types.getTypeParser(oid, format)
}) as typeof types.getTypeParser

/** `2026-11-14 23:42:46.5+00`, as PostgreSQL prints it in UTC, becomes `2026-11-14T23:42:46.500000+00:00`. */
export function answerTimestamp(text: string): string {
  const fraction = text.slice(20, text.length - 3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(6, '0')}+00:00`
}
