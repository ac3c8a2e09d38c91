import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { cp, readlink, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { connect } from '../../src/db/connect.ts'
import { type Account, accountFor } from '../../src/db/embedded/account.ts'
import { findBinaryPackage, prepareBinaries } from '../../src/db/embedded/binaries.ts'
import { describeProcess, findProcesses, waitUntil } from '../../src/db/embedded/process.ts'
import {
  EmbeddedFault,
  type EmbeddedPostgres,
  findRunningEmbedded,
  startEmbedded,
  type UrlOptions,
} from '../../src/db/embedded/start.ts'

const is_root = process.getuid?.() === 0
const cleanups: (() => Promise<unknown>)[] = []

/** Most tests share one folder, because a first start takes much longer than a later one. */
const lasting_dir = mkdtempSync(join(tmpdir(), 'gangan-test-'))
chmodSync(lasting_dir, 0o755)
afterAll(() => rm(lasting_dir, { recursive: true }))

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

describe('startEmbedded', () => {
  it('creates a cluster, and finds its data at the second start', async () => {
    const first = await start(lasting_dir)
    expect(first.adopted).toBe(false)
    expect(await ask(first.url_options, 'create table kept as select 42 as answer')).toEqual([])
    expect(await ask(first.url_options, 'show server_encoding')).toEqual([{ server_encoding: 'UTF8' }])
    expect(await ask(first.url_options, 'show fsync')).toEqual([{ fsync: 'on' }])
    expect(await ask(first.url_options, "select upper('é') as upper_case")).toEqual([{ upper_case: 'É' }])
    expect(statSync(join(lasting_dir, 'postgres.service-password')).mode & 0o777).toBe(0o600)
    await Promise.all([first.stop(), first.stop()])
    expect(describeProcess(first.postgres_pid)).toBeUndefined()

    const second = await start(lasting_dir, { work_mem: '5MB' })
    expect(second.adopted).toBe(false)
    expect(await ask(second.url_options, 'select answer from kept')).toEqual([{ answer: 42 }])
    expect(await ask(second.url_options, 'show work_mem')).toEqual([{ work_mem: '5MB' }])
    await expect(ask({ ...second.url_options, password: 'wrong' }, 'select 1')).rejects.toThrow('password')
  })

  it.each([0, 10, 30, 60, 100, 200, 400])('aborted after %i ms leaves nothing running', async (after_ms) => {
    // A killed server has more to do at its start.
    const { postgres_pid } = await startEmbedded({ data_dir: lasting_dir, owner: false })
    process.kill(postgres_pid, 'SIGKILL')
    await waitUntil(() => describeProcess(postgres_pid) === undefined, 15_000)
    const stop = new AbortController()
    const starting = startEmbedded({ data_dir: lasting_dir, signal: stop.signal })
    setTimeout(() => stop.abort(), after_ms)
    const outcome = await starting.catch((fault: unknown) => fault)
    if (outcome !== stop.signal.reason) await (outcome as EmbeddedPostgres).stop() // It was faster.
    expect(findProcesses((command) => command.includes(` -D ${lasting_dir}/`))).toEqual([])
    await (await start(lasting_dir)).stop()
  })

  it('aborted before it begins starts nothing', async () => {
    const reason = new Error('enough')
    await expect(startEmbedded({ data_dir: lasting_dir, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(findProcesses((command) => command.includes(` -D ${lasting_dir}/`))).toEqual([])
  })

  it('gives the role a new password if the file is lost', async () => {
    await (await start(lasting_dir)).stop()
    await rm(join(lasting_dir, 'postgres.service-password'))
    const again = await start(lasting_dir)
    expect(await ask(again.url_options, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('adopts the PostgreSQL of a process that was killed, and stops it', async () => {
    const { child, postgres_pid } = await startInChild(lasting_dir)
    expect((await findRunningEmbedded(lasting_dir))?.database).toBe('gangan')
    await kill(child)

    const adopted = await start(lasting_dir)
    expect(adopted).toMatchObject({ adopted: true, postgres_pid })
    expect(await ask(adopted.url_options, 'select 1 as one')).toEqual([{ one: 1 }])
    await adopted.stop()
    expect(describeProcess(postgres_pid)).toBeUndefined()
    expect(await findRunningEmbedded(lasting_dir)).toBeUndefined()
  })

  it('restarts the PostgreSQL of a killed process if the settings have changed', async () => {
    const { child, postgres_pid } = await startInChild(lasting_dir)
    await kill(child)
    const restarted = await start(lasting_dir, { work_mem: '6MB' })
    expect(restarted.adopted).toBe(false)
    expect(describeProcess(postgres_pid)).toBeUndefined()
    expect(await ask(restarted.url_options, 'show work_mem')).toEqual([{ work_mem: '6MB' }])
  })

  it('recovers committed data when the postmaster was killed in the middle of a query', async () => {
    const first = await start(lasting_dir)
    await ask(first.url_options, 'create table committed as select 42 as answer')
    // Counting checks for no interrupts, so this process outlives the postmaster until it is killed.
    const busy = ask(first.url_options, 'select count(*) from generate_series(1, 1e12::bigint)').catch(String)
    const active = `select count(*)::int from pg_stat_activity where query like '%generate_series%' and state = 'active'`
    await expect.poll(() => ask(first.url_options, active), { timeout: 5_000 }).toEqual([{ count: 2 }])
    process.kill(first.postgres_pid, 'SIGKILL')
    await first.stop()

    const second = await start(lasting_dir)
    expect(second.adopted).toBe(false)
    expect(await ask(second.url_options, 'select answer from committed')).toEqual([{ answer: 42 }])
    expect(await busy).toContain('Error')
  })

  it('does not mistake another process with the pid of a former postmaster for it', async () => {
    const first = await start(lasting_dir)
    const pid_file = join(await realpath(join(lasting_dir, 'postgres')), 'postmaster.pid')
    const left_over = readFileSync(pid_file, 'utf8')
    await first.stop()
    await writeFile(pid_file, left_over.replace(/^\d+/, String(process.pid)), { mode: 0o644 })
    const second = await start(lasting_dir)
    expect(second.adopted).toBe(false)
    expect(second.postgres_pid).not.toBe(process.pid)
  })

  it('excludes a second owner, who may share it', async () => {
    const first = await start(lasting_dir)
    const sentence = `The data folder ${lasting_dir} is in use by process ${process.pid}.`
    await expect(start(lasting_dir)).rejects.toThrow(new EmbeddedFault(sentence))

    const joined = await startEmbedded({ data_dir: lasting_dir, owner: false })
    expect(joined).toMatchObject({ adopted: true, url_options: first.url_options })
    await joined.stop()
    expect(describeProcess(first.postgres_pid)).toBeDefined()
  })

  it('lets a server take over a database that a command has started', async () => {
    const command = await startEmbedded({ data_dir: lasting_dir, owner: false })
    const server = await start(lasting_dir)
    expect(server).toMatchObject({ adopted: true, postgres_pid: command.postgres_pid })
    await command.stop()
    expect(await ask(server.url_options, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('gives the folder to exactly one of several concurrent starts', async () => {
    const data_dir = newDataFolder()
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => start(data_dir)))
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
    const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(refusals.every((reason) => reason instanceof EmbeddedFault)).toBe(true)
  })

  it('starts over after a first start that was interrupted', async () => {
    const data_dir = newDataFolder()
    mkdirSync(join(data_dir, 'postgres.unfinished-1234', 'base'), { recursive: true })
    const started = await start(data_dir)
    expect(await ask(started.url_options, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(readdirSync(data_dir).filter((name) => name.includes('unfinished'))).toEqual([])
  })

  it('uses another folder for the socket if the path is too long', async () => {
    const data_dir = join(newDataFolder(), 'long'.repeat(25))
    const started = await start(data_dir)
    expect(started.url_options.host.length).toBeLessThan(90)
    expect(await ask(started.url_options, 'select 1 as one')).toEqual([{ one: 1 }])
    await started.stop()
    expect(existsSync(started.url_options.host)).toBe(false)
  })

  it('reports in one sentence what is wrong with the folder', async () => {
    const file = join(newDataFolder(), 'file')
    await writeFile(file, '')
    await expect(start(file)).rejects.toThrow(new EmbeddedFault(`The data folder ${file} is not a folder.`))
    await expect(start('/proc/gangan')).rejects.toThrow(EmbeddedFault)

    const other_major = newDataFolder()
    mkdirSync(join(other_major, 'postgres', 'global'), { recursive: true })
    await writeFile(join(other_major, 'postgres', 'PG_VERSION'), '12\n')
    await expect(start(other_major)).rejects.toThrow('was made by PostgreSQL 12')
  })

  it.skipIf(is_root)('reports that the folder is not writable', async () => {
    const data_dir = newDataFolder()
    chmodSync(data_dir, 0o500)
    const sentence = `The data folder ${data_dir} is not writable for this user.`
    await expect(start(data_dir)).rejects.toThrow(new EmbeddedFault(sentence))
  })

  it.runIf(is_root)('works as root below a folder that other users cannot read', async () => {
    const closed_dir = newDataFolder()
    chmodSync(closed_dir, 0o700)
    const data_dir = join(closed_dir, 'data')
    const first = await start(data_dir)
    const outside_dir = await readlink(join(data_dir, 'postgres'))
    cleanups.unshift(() => rm(outside_dir, { recursive: true }))
    await ask(first.url_options, 'create table kept as select 42 as answer')
    await first.stop()
    const second = await start(data_dir)
    expect(await ask(second.url_options, 'select answer from kept')).toEqual([{ answer: 42 }])
    expect(statSync(closed_dir).mode & 0o777).toBe(0o700)
    expect(statSync(outside_dir)).toMatchObject({ uid: accountFor(undefined)?.uid })
  })
})

describe('prepareBinaries', () => {
  it('creates links that an install without scripts has omitted, and copies unreadable files', async () => {
    const package_dir = newDataFolder()
    await cp(findBinaryPackage(), package_dir, {
      recursive: true,
      filter: (from) => !lstatSync(from).isSymbolicLink() && !from.endsWith('/timezone'),
    })
    const copies_dir = newDataFolder()
    const account = accountFor(undefined)
    const in_place = await prepareBinaries(package_dir, account, copies_dir)
    expect(in_place.postgres).toBe(join(package_dir, 'native', 'bin', 'postgres'))
    expect(await version(in_place.postgres, account)).toContain(`(PostgreSQL) ${in_place.major}`)

    chmodSync(in_place.postgres, 0o600)
    const copied = await prepareBinaries(package_dir, account, copies_dir)
    expect(copied.postgres.startsWith(copies_dir)).toBe(true)
    expect(await version(copied.postgres, account)).toContain(`(PostgreSQL) ${in_place.major}`)
  })
})

function newDataFolder(): string {
  const data_dir = mkdtempSync(join(tmpdir(), 'gangan-test-'))
  chmodSync(data_dir, 0o755)
  cleanups.push(() => rm(data_dir, { recursive: true, force: true }))
  return data_dir
}

async function start(data_dir: string, settings: Record<string, string> = {}): Promise<EmbeddedPostgres> {
  const started = await startEmbedded({ data_dir, settings })
  cleanups.push(() => started.stop())
  return started
}

async function ask(url_options: UrlOptions, statement: string): Promise<unknown[]> {
  const sql = connect(url_options, { connections: 1 })
  try {
    return Array.from<unknown>(await sql.unsafe(statement))
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function startInChild(data_dir: string): Promise<{ child: ChildProcess; postgres_pid: number }> {
  const script = `
    import { startEmbedded } from ${JSON.stringify(new URL('../../src/db/embedded/start.ts', import.meta.url).href)}
    const { postgres_pid } = await startEmbedded({ data_dir: ${JSON.stringify(data_dir)} })
    console.log(postgres_pid)
    setInterval(() => undefined, 1_000)`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  cleanups.push(() => kill(child))
  const [line] = await once(child.stdout, 'data')
  return { child, postgres_pid: Number(String(line)) }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function version(binary: string, account: Account): Promise<string> {
  const { stdout } = await promisify(execFile)(binary, ['--version'], { ...account, cwd: '/' })
  return stdout
}
