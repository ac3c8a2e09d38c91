import { hostname } from 'node:os'
import type { Db } from '../db/connect.ts'

/** A process of the service, as its connections name it: no table, and gone when the process is. */
export type ServiceProcess = {
  version: string
  http: boolean
  worker: boolean
  pid: number
  host: string
  connections: number
  since: string
}

/** PostgreSQL cuts the names of connections. */
const MAX_NAME_LENGTH = 63
const NAME = /^gangan (\S+) (http\+worker|http|worker) (\d+)@(.*)$/

/** The `application_name` of the connections of a process that serves. Those of commands are named `gangan`. */
export function processName({ version, http, worker }: { version: string; http: boolean; worker: boolean }): string {
  const roles = [http ? ['http'] : [], worker ? ['worker'] : []].flat().join('+')
  return `gangan ${version} ${roles} ${process.pid}@${hostname().replaceAll(/[^\w.-]/g, '-')}`.slice(0, MAX_NAME_LENGTH)
}

/** The processes that serve this database, on every machine. */
export async function listProcesses(db: Db): Promise<ServiceProcess[]> {
  const rows = await db<{ name: string; connections: number; since: string | null }[]>`
    select application_name as name, count(*)::integer as connections, min(backend_start) as since
    from pg_stat_activity
    where datname = current_database() and application_name like 'gangan %'
    group by application_name order by min(backend_start), application_name`
  return rows.flatMap(({ name, connections, since }) => {
    const [, version = '', roles = '', pid, host = ''] = NAME.exec(name) ?? []
    if (pid === undefined) return []
    const [http, worker] = [roles.startsWith('http'), roles.endsWith('worker')]
    return [{ version, http, worker, pid: Number(pid), host, connections, since: since ?? '' }]
  })
}
