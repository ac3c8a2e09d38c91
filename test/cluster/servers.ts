import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type DatabaseAddress } from '../../src/db/connect.ts'
import { until } from '../support/until.ts'

/** A PostgreSQL server on this machine that can be killed and started again. */
export type Server = { name: string; kill(): Promise<void>; start(): Promise<void> }

/** Finds the process of a node and how to start it; undefined if it is not on this machine. */
export async function findServer(address: DatabaseAddress): Promise<Server | undefined> {
  const db = connect(address, { connections: 1 })
  const [row] = await db<{ folder: string; bin: string; host: string | null; port: string }[]>`
    select current_setting('data_directory') as folder, setting as bin, host(inet_server_addr()) as host,
      current_setting('port') as port
    from pg_config where name = 'BINDIR'`
  await db.end({ timeout: 1 })
  if (!row || !existsSync(join(row.folder, 'PG_VERSION'))) return undefined
  const { uid, gid } = statSync(row.folder)
  const { folder, bin } = row

  async function isUp(): Promise<boolean> {
    const asking = connect(address, { connections: 1 })
    try {
      await asking`select 1`
      return true
    } catch {
      return false
    } finally {
      await asking.end({ timeout: 1 })
    }
  }

  return {
    name: `${row.host ?? ''}:${row.port}`,
    async kill() {
      const asking = connect(address, { connections: 1 })
      const [first] = await asking<{ pid: string }[]>`
        select split_part(pg_read_file('postmaster.pid'), chr(10), 1) as pid`
      process.kill(Number(first?.pid), 'SIGKILL')
      await asking.end({ timeout: 1 })
    },
    /** Orphaned processes may hold the shared memory for a moment. */
    async start() {
      if (await isUp()) return
      await until(
        'the server to start',
        async () => {
          const starting = spawn(join(bin, 'pg_ctl'), ['-w', '-D', folder, '-l', `${folder}.log`, 'start'], {
            uid,
            gid,
            stdio: 'ignore',
            env: { PATH: process.env.PATH, HOME: folder }, // Not that of the user who runs the tests, which the server may not read.
          })
          await once(starting, 'exit')
          return isUp()
        },
        60_000,
      )
    },
  }
}
