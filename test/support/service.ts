import type { AddressInfo } from 'node:net'
import { openAccount } from '../../src/billing/balance.ts'
import { newSecret } from '../../src/callbacks/signing/signature.ts'
import { decideConfig, type Config } from '../../src/config/config.ts'
import { readEffective } from '../../src/config/effective.ts'
import { connect, type Db } from '../../src/db/connect.ts'
import { listenMetrics } from '../../src/http/metrics-server.ts'
import { buildServer } from '../../src/http/server.ts'
import { createOrganisation } from '../../src/organisations/create.ts'
import { createKey } from '../../src/organisations/keys.ts'
import type { Scope } from '../../src/organisations/schema.ts'
import { findTwin } from '../../src/organisations/store.ts'
import { registerFirstSender } from '../../src/senders/decide.ts'
import { makeService } from '../../src/service.ts'
import type { Reloaded } from '../../src/wiring/reload.ts'
import { makePasswords } from '../../src/users/login/password.ts'
import { listeningPort } from '../../src/values/listening-port.ts'
import { moneyFromNumber } from '../../src/values/money.ts'
import { freshDatabase, type TestDatabase } from './database.ts'
import { PEPPER, secret_seal } from './secret-seal.ts'

/** Hashing a password takes a tenth of a second by design; another test covers it. */
const LIGHT = { N: 2 ** 10, r: 8, p: 1 }

export type Answer<T = Record<string, unknown>> = { status: number; headers: Headers; body: T; text: string }

export type Organisation = {
  id: string
  key: string
  /** Calls the API with the organisation's key. */
  call: <T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer<T>>
}

export type TestService = Organisation & {
  url: string
  /** The port for SMPP clients, with `smpp_server` in the settings. */
  smpp_port: number
  /** The address of the metrics, if the configuration enables them. */
  metrics_url: string
  db: Db
  database: TestDatabase
  config: Config
  log_lines: { level: string; details: object; sentence: string }[]
  /** Another organisation, with its own key and credit. */
  organisation(wish?: Wish): Promise<Organisation>
  /** As `gangan reload` does with another configuration file. */
  reload(settings: Record<string, unknown>): Promise<Reloaded>
  close(): Promise<void>
}

type Wish = { credit?: number; sender?: string | null; mode?: 'live' | 'test'; scopes?: Scope[]; of?: Organisation }

export type TestServiceOptions = {
  settings?: Record<string, unknown>
  /** Overrides values derived from the configuration, such as `sandbox: false`. */
  config?: Partial<Config>
  credit?: number
  /** Without workers messages stay queued. */
  workers?: boolean
  /** Another process of the same service, on the same database. */
  beside?: Pick<TestService, 'database'>
}

/** The whole service on a database of its own, listening on a free port. */
export async function openService(options: TestServiceOptions = {}): Promise<TestService> {
  const database = options.beside?.database ?? (await freshDatabase())
  const db = options.beside ? connect(database.address) : database.db
  const configOf = (settings: Record<string, unknown> = {}): Config => ({
    ...decideConfig(
      { PORT: '0', GANGAN_PEPPER: PEPPER },
      { carriers: [{ kind: 'simulator', name: 'simulator', report_delay_ms: 20 }], ...settings },
    ),
    ...options.config,
  })
  const config = await readEffective({ db }, configOf(options.settings))
  const log_lines: TestService['log_lines'] = []
  const note = (level: string) => (details: object, sentence: string) => {
    log_lines.push({ level, details, sentence })
  }
  const log = { info: note('info'), warn: note('warn'), error: note('error') }
  const service = await makeService({ config, db, log })
  if (options.workers !== false) service.startWorkers()
  const app = await buildServer({ ...service.http, passwords: makePasswords(LIGHT) })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { host, port, token } = config.metrics
  const figures = port === undefined ? undefined : await listenMetrics(service.http, { host, port, token })
  const metrics_url = figures ? `http://127.0.0.1:${listeningPort(figures)}/metrics` : ''
  const smpp_port = (await service.listenSmpp()) ?? 0
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

  async function organisation(wish: Wish = {}): Promise<Organisation> {
    const id =
      wish.of?.id ??
      (await createOrganisation(
        {
          db: database.db,
          openAccount,
          newCallbackSecret: newSecret,
          secret_seal,
          registerSender: registerFirstSender,
        },
        {
          name: 'Tests',
          default_country: 'NG',
          default_sender_id: wish.sender === undefined ? 'Gangan' : wish.sender,
          currency: 'NGN',
          credit: moneyFromNumber(wish.credit ?? 1_000) ?? 0n,
        },
      ))
    const mode = wish.mode ?? 'live'
    const { key } = await createKey({ db: database.db }, id, mode, {
      name: null,
      scopes: wish.scopes ?? null,
      expires_datetime: null,
    })
    const owner = mode === 'live' ? id : ((await findTwin(database.db, id))?.id ?? '')
    return { id: owner, key, call: caller(url, key) }
  }

  const first = await organisation(options.credit === undefined ? {} : { credit: options.credit })
  return {
    ...first,
    url,
    smpp_port,
    metrics_url,
    db: database.db,
    database,
    config,
    log_lines,
    organisation,
    reload: async (settings) => service.reload(await readEffective({ db }, configOf(settings))),
    async close() {
      figures?.closeAllConnections()
      figures?.close()
      await app.close()
      await service.stop()
      if (options.beside) await db.end({ timeout: 1 })
      else await database.drop()
    },
  }
}

/** Calls an API over HTTP. A string or bytes are sent unchanged. */
export function caller(url: string, key: string): Organisation['call'] {
  return async <T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: asSent(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: parse(text) as T, text }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function asSent(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body)
}
