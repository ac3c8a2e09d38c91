import type { Db } from './connect.ts'

/** Settings of the server that decide whether the service can run on it, and whether commits are durable. */
export type ServerSettings = {
  version: string
  version_number: number
  connections_limit: number
  fsync: string
  full_page_writes: string
  synchronous_commit: string
  encoding: string
  locale: string
  /** Installed or available. */
  extensions: string[]
  may_create: boolean
}

export async function readServerSettings(db: Db): Promise<ServerSettings> {
  const [row] = await db<ServerSettings[]>`
    select current_setting('server_version') as version, current_setting('server_version_num')::integer as version_number,
      current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
        as connections_limit,
      current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
      current_setting('synchronous_commit') as synchronous_commit,
      pg_encoding_to_char(encoding) as encoding, datcollate as locale,
      array(select name::text from pg_available_extensions) as extensions,
      has_schema_privilege(current_schema(), 'create') as may_create
    from pg_database where datname = current_database()`
  if (!row) throw new Error('The database did not describe itself.')
  return row
}
