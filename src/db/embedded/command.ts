import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, fstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cluster } from './cluster.ts'
import { clusterName } from './cluster-name.ts'
import { type EmbeddedFault, postgresFault } from './fault.ts'
import { environment, spawnFault } from './initdb.ts'
import { openLog, readLogSince } from './log.ts'

export type Settings = Record<string, string>

/**
 * Spawns a postmaster, which survives this process. It gets a process group of its own, so that a Ctrl-C in the
 * terminal reaches only us and we can stop it in order. `exitFault` says why it ended, if it did.
 */
export async function spawnPostmaster(
  cluster: Cluster,
  host: string,
  settings: Settings,
): Promise<{ pid: number | undefined; exitFault(): EmbeddedFault | undefined }> {
  const log = openLog(cluster.data_dir, cluster.account)
  const log_size = fstatSync(log).size
  const child = spawn(cluster.binaries.postgres, argumentsFor(cluster.cluster_dir, host, settings), {
    ...cluster.account,
    cwd: '/',
    env: environment,
    detached: true,
    stdio: ['ignore', log, log],
  })
  try {
    await once(child, 'spawn')
  } catch (cause) {
    throw spawnFault(cluster.binaries.postgres, cause)
  } finally {
    closeSync(log)
  }
  child.unref()
  return {
    pid: child.pid,
    exitFault: () =>
      child.exitCode === null && child.signalCode === null
        ? undefined
        : postgresFault(
            cluster.data_dir,
            `PostgreSQL did not start in ${cluster.cluster_dir}`,
            readLogSince(cluster.data_dir, log_size),
          ),
  }
}

/** Whether the cluster was last started by the same binary with the same settings. */
export function wasStartedWith(cluster: Cluster, host: string, settings: Settings): boolean {
  const args = argumentsFor(cluster.cluster_dir, host, settings).map((argument) => `"${argument}"`)
  try {
    const line = readFileSync(join(cluster.cluster_dir, 'postmaster.opts'), 'utf8').trim()
    return line === [cluster.binaries.postgres, ...args].join(' ')
  } catch {
    return false
  }
}

const default_settings: Settings = {
  listen_addresses: '',
  port: '5432',
  max_connections: '400',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  wal_compression: 'on',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
  // Parallel queries take memory from /dev/shm, of which a container often has only 64 MB, and our queries are short.
  max_parallel_workers_per_gather: '0',
  // Statements and the details of errors carry telephone numbers and texts, which do not belong in a log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}

function argumentsFor(cluster_dir: string, host: string, settings: Settings): string[] {
  const all = {
    ...default_settings,
    ...settings,
    unix_socket_directories: host,
    cluster_name: clusterName(cluster_dir),
  }
  // The folder comes first and is followed by more, so that it is not mistaken for the prefix of a longer path in the command line.
  return ['-D', cluster_dir, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}
