import { hostname } from 'node:os'
import type { Db } from '../db/connect.ts'

/** A process of the service, as its connections name it: no table, and gone when the process is. */
export type ServiceProcess = {
  version: string
  http: boolean
  worker: boolean
  pid: number
  host: string
  /** Undefined: it is starting, and has not decided yet. */
  sandbox: boolean | undefined
  connections: number
  since: string
}

/** PostgreSQL cuts the names of connections. */
const MAX_NAME_LENGTH = 63
const NAME = /^gangan (\S+) (http\+worker|http|worker)(?::(sandbox|live))? (\d+)@(.*)$/

/** The `application_name` of the connections of a process that serves. Those of commands are named `gangan`. */
export function processName({
  version,
  http,
  worker,
  sandbox,
}: Pick<ServiceProcess, 'version' | 'http' | 'worker'> & { sandbox?: boolean }): string {
  const roles = [http ? ['http'] : [], worker ? ['worker'] : []].flat().join('+')
  const mode = sandbox === undefined ? '' : sandbox ? ':sandbox' : ':live'
  return `gangan ${version} ${roles}${mode} ${process.pid}@${hostname().replaceAll(/[^\w.-]/g, '-')}`.slice(
    0,
    MAX_NAME_LENGTH,
  )
}

/** The processes that serve this database, on every machine. */
export async function listProcesses(db: Db): Promise<ServiceProcess[]> {
  const rows = await db<{ name: string; connections: number; since: string | null }[]>`
    select application_name as name, count(*)::integer as connections, min(backend_start) as since
    from pg_stat_activity
    where datname = current_database() and application_name like 'gangan %'
    group by application_name order by min(backend_start), application_name`
  const processes = new Map<string, ServiceProcess>()
  for (const { name, connections, since } of rows) {
    const [, version = '', roles = '', mode, pid, host = ''] = NAME.exec(name) ?? []
    if (pid === undefined) continue
    const sandbox = mode === undefined ? undefined : mode === 'sandbox'
    const [http, worker] = [roles.startsWith('http'), roles.endsWith('worker')]
    // The name of its first connections is older than its mode.
    const known = processes.get(`${pid}@${host}`)
    if (known) {
      known.connections += connections
      if (known.sandbox !== true) known.sandbox = sandbox ?? known.sandbox
    } else {
      processes.set(`${pid}@${host}`, {
        version,
        http,
        worker,
        pid: Number(pid),
        host,
        sandbox,
        connections,
        since: since ?? '',
      })
    }
  }
  return [...processes.values()]
}
