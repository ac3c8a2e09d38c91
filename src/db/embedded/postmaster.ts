import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { clusterName } from './cluster-name.ts'
import { EmbeddedFault } from './fault.ts'
import { describeProcess, findProcesses, waitUntil } from './process.ts'
import { removeSocketFolder } from './socket.ts'

export type Postmaster = { pid: number; started: string; host: string; port: number }

/**
 * The postmaster that runs on the cluster, once it accepts connections; undefined when there is none. One that is
 * starting is waited for, because it may be recovering from a crash; one that is stopping is waited out. `isComing` says
 * that one which is not there yet is to be waited for as well. The signal ends the waiting, and what was waited for.
 */
export async function findPostmaster(
  cluster_dir: string,
  {
    isComing = () => false,
    signal,
    limit_ms = change_limit_ms,
  }: { isComing?: () => boolean; signal?: AbortSignal | undefined; limit_ms?: number | undefined } = {},
): Promise<Postmaster | undefined> {
  let seen: PidFile | undefined
  await waitUntil(() => {
    seen = readPidFile(cluster_dir)
    if (signal?.aborted === true) return true
    return seen !== undefined && isRunning(seen, cluster_dir) ? seen.status === 'ready' : !isComing()
  }, limit_ms)
  const facts = seen === undefined ? undefined : describeProcess(seen.pid)
  if (seen === undefined || facts === undefined || !isRunning(seen, cluster_dir)) return undefined
  if (seen.status !== 'ready') {
    if (signal?.aborted === true) await stopPostmaster({ ...seen, started: facts.started })
    signal?.throwIfAborted()
    throw new EmbeddedFault(`PostgreSQL (process ${seen.pid}) has been ${seen.status} for too long in ${cluster_dir}.`)
  }
  return { pid: seen.pid, started: facts.started, host: seen.host, port: seen.port }
}

/** Fast shutdown: open transactions are rolled back and everything is written. Harder ways follow when it hangs. */
export async function stopPostmaster(postmaster: Postmaster): Promise<void> {
  const gone = () => describeProcess(postmaster.pid)?.started !== postmaster.started
  for (const { signal, timeout_ms } of stop_steps) {
    if (!gone()) sendSignal(postmaster.pid, signal)
    if (await waitUntil(gone, timeout_ms)) return removeSocketFolder(postmaster.host)
  }
  throw new EmbeddedFault(`PostgreSQL (process ${postmaster.pid}) does not end.`)
}

/**
 * Clears away what a postmaster that was killed has left. PostgreSQL does this itself, except that it takes any process
 * of the same user with the old number, and a zombie, for its predecessor.
 */
export async function clearRemains(cluster_dir: string): Promise<void> {
  const stale = readPidFile(cluster_dir)
  if (stale === undefined) return
  if (await keepsAnswering(stale)) {
    throw new EmbeddedFault(
      `The database in ${cluster_dir} is in use by a PostgreSQL that this process cannot see, perhaps in another container.`,
    )
  }
  await waitForOrphans(cluster_dir)
  await rm(join(cluster_dir, 'postmaster.pid'), { force: true })
  for (const name of [`.s.PGSQL.${stale.port}`, `.s.PGSQL.${stale.port}.lock`]) {
    if (stale.host === cluster_dir) await rm(join(cluster_dir, name), { force: true })
  }
  await removeSocketFolder(stale.host)
}

const change_limit_ms = 600_000
const stop_steps = [
  { signal: 'SIGINT', timeout_ms: 5_000 },
  { signal: 'SIGQUIT', timeout_ms: 10_000 },
  { signal: 'SIGKILL', timeout_ms: 5_000 },
] as const
const orphan_steps = [
  { signal: 0, timeout_ms: 1_000 },
  { signal: 'SIGQUIT', timeout_ms: 2_000 },
  { signal: 'SIGKILL', timeout_ms: 2_000 },
] as const

type PidFile = { pid: number; host: string; port: number; status: string }

/** The lines are: process, folder, start, port, folder of the socket, address, shared memory, status. */
function readPidFile(cluster_dir: string): PidFile | undefined {
  try {
    const lines = readFileSync(join(cluster_dir, 'postmaster.pid'), 'utf8').split('\n')
    const [pid, port, host = '', status = ''] = [Number(lines[0]), Number(lines[3]), lines[4], lines[7]?.trim()]
    return { pid, port, host, status: status === '' ? 'starting' : status }
  } catch {
    return undefined
  }
}

/** A process that merely got the number of a former postmaster has another command line. */
function isRunning({ pid }: PidFile, cluster_dir: string): boolean {
  return describeProcess(pid)?.command.includes(` -D ${cluster_dir} `) ?? false
}

/** The children of a killed postmaster notice by themselves, unless one is deep in a long query. */
async function waitForOrphans(cluster_dir: string): Promise<void> {
  const title = `postgres: ${clusterName(cluster_dir)}: `
  const orphans = () => findProcesses((command) => command.startsWith(title))
  for (const { signal, timeout_ms } of orphan_steps) {
    for (const pid of orphans()) sendSignal(pid, signal)
    if (await waitUntil(() => orphans().length === 0, timeout_ms)) return
  }
  throw new EmbeddedFault(`Processes of a former PostgreSQL do not end: ${orphans().join(', ')}.`)
}

function sendSignal(pid: number, signal: NodeJS.Signals | 0): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended in the meantime.
  }
}

/** One that was killed loses its command line, by which we know it, a moment before its socket. */
async function keepsAnswering({ host, port }: PidFile): Promise<boolean> {
  if (!(await answers(host, port))) return false
  await setTimeout(dying_ms)
  return answers(host, port)
}

const dying_ms = 500

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(join(host, `.s.PGSQL.${port}`))
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}
