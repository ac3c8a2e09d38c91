import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect, type Db, type DatabaseAddress } from '../src/db/connect.ts'
import { startEmbedded } from '../src/db/embedded/start.ts'
import { newApiKey } from '../src/organisations/api-key.ts'
import { folderOnDisk } from '../test/support/folder.ts'
import { PEPPER } from '../test/support/secret-seal.ts'
import { THIS_BUILD } from './builds.ts'
import type { Result, Task } from './load.ts'
import type { SmppTask } from './smpp-load.ts'

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

export type Served = { url: string; port: number; key: string; pid: number; db: Db; stop(): Promise<void> }

export type Database = {
  db: Db
  address: DatabaseAddress
  env: Record<string, string>
  /** Of the process that all of PostgreSQL's others are children of. */
  pid: number
  stop(): Promise<void>
}

/** A PostgreSQL as the service embeds it, that also counts statements. */
export async function servePostgres(): Promise<Database> {
  const data_dir = (await folderOnDisk()).path
  const postgres = await startEmbedded({
    data_dir,
    settings: { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track': 'top' },
  })
  running.add(postgres.postgres_pid)
  const { host, port, user, password, database } = postgres.url_options
  const where = new URLSearchParams({ host, port: String(port) })
  // Extensions that look at all statements are the superuser's business.
  const db = connect(await postgres.administrator(), { connections: 1, application_name: 'bench' })
  await db`create extension pg_stat_statements`
  const url = `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?${where.toString()}`
  return {
    db,
    address: postgres.url_options,
    env: { DATABASE_URL: url },
    pid: postgres.postgres_pid,
    async stop() {
      running.delete(postgres.postgres_pid)
      await db.end({ timeout: 1 })
      await postgres.stop()
      await rm(data_dir, { recursive: true, force: true })
    },
  }
}

const running = new Set<number>()

/** A process that does not outlive this one: a part that throws, or is broken off, leaves nothing behind. */
export function start(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, options)
  if (child.pid !== undefined) running.add(child.pid)
  child.once('exit', () => running.delete(child.pid ?? 0))
  return child
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
process.once('exit', () => {
  for (const pid of running) {
    try {
      process.kill(pid, 'SIGINT') // PostgreSQL takes it for a fast shutdown
    } catch {
      // The process has already exited.
    }
  }
})

/** Gangan as `npm start` runs it, on a database of its own unless one is given. */
export async function serveGangan(
  env: Record<string, string> = {},
  roles: string[] = [],
  given?: Database,
  build = THIS_BUILD,
): Promise<Served> {
  const database = given ?? (await servePostgres())
  const child = start(
    process.execPath,
    [...(process.env.BENCH_NODE?.split(' ') ?? []), join(build, 'dist/main.js'), 'serve', ...roles],
    {
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        GANGAN_CREDIT: '500000000000',
        GANGAN_API_KEY: KEY,
        GANGAN_PEPPER: PEPPER,
        ...database.env,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const banner = await firstMatch(child, /Base URL\s+http:\S+[\s\S]*\n\n/)
  const url = /http:\/\/127\.0\.0\.1:(\d+)/.exec(banner)
  return {
    url: url?.[0] ?? '',
    port: Number(url?.[1]),
    key: KEY,
    pid: child.pid ?? 0,
    db: database.db,
    async stop() {
      await end(child)
      if (!given) await database.stop()
    },
  }
}

const KEY = newApiKey('live')

export async function serveEcho(): Promise<{ port: number; stop(): Promise<void> }> {
  const child = start(process.execPath, ['--import', 'tsx', here('echo.ts')], { stdio: ['ignore', 'pipe', 'inherit'] })
  const output = await firstMatch(child, /:(\d+)\n/)
  return { port: Number(/:(\d+)\n/.exec(output)?.[1]), stop: () => end(child) }
}

/** Puts load on a server from a process of its own. */
export async function runLoad(task: Task): Promise<Result> {
  return runTask('load.ts', task)
}

/** The same over SMPP. */
export async function runSmppLoad(task: SmppTask): Promise<Result> {
  return runTask('smpp-load.ts', task)
}

async function runTask(file: string, task: Task | SmppTask): Promise<Result> {
  const child = start(process.execPath, ['--import', 'tsx', here(file), '-'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin?.end(JSON.stringify(task))
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
  await once(child, 'close')
  return JSON.parse(output) as Result
}

async function firstMatch(child: ChildProcess, pattern: RegExp): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    child.on('exit', () => reject(new Error(`a process ended early: ${output}`)))
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < 10_000) output += text // then it only drains the log
      if (pattern.test(output)) resolve(output)
    })
  })
}

async function end(child: ChildProcess): Promise<void> {
  child.removeAllListeners('exit')
  running.delete(child.pid ?? 0)
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}
