import postgres from 'postgres'

/** Rows keep their SQL names; `bigint` columns are BigInt and timestamps are text in the form the API answers with. */
export type Db = postgres.Sql<{ bigint: bigint; timestamp: string }>

declare const joined: unique symbol

/** A connection inside an open transaction. Who takes a `Tx` joins it; who takes a `Db` opens one. */
export type Tx = Db & { readonly [joined]: true }

export type DatabaseAddress =
  | { url: string }
  | { host: string; port: number; user: string; password: string; database: string }

export type ConnectOptions = { connections?: number; application_name?: string }

const CONNECTIONS = 10
const STATEMENT_TIMEOUT_MS = 60_000
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000

export function connect(address: DatabaseAddress, options: ConnectOptions = {}): Db {
  const settings = {
    max: options.connections ?? CONNECTIONS,
    connect_timeout: 5,
    max_lifetime: null,
    onnotice: () => {},
    types: {
      bigint: postgres.BigInt,
      timestamp: {
        to: 1184,
        from: [1184],
        serialize: (value: string) => value,
        parse: answerTimestamp,
      },
    },
    connection: {
      application_name: options.application_name ?? 'gangan',
      TimeZone: 'UTC',
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    },
  }
  return 'url' in address ? postgres(address.url, settings) : postgres({ ...address, ...settings })
}

/** `2026-11-14 23:42:46.5+00`, as PostgreSQL prints it in UTC, becomes `2026-11-14T23:42:46.500000+00:00`. */
export function answerTimestamp(text: string): string {
  const fraction = text.slice(20, text.length - 3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(6, '0')}+00:00`
}

const AWAY = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P01', // the server is shutting down
  '57P02', // another server process crashed
  '57P03', // the server is starting up
  '53300', // too many connections
])

/** True when the fault is that the database cannot be reached, not that a statement was wrong. */
export function isDatabaseAway(fault: unknown): boolean {
  const code = (fault as { code?: unknown } | null)?.code
  return typeof code === 'string' && AWAY.has(code)
}
