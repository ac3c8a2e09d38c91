import type { Db } from '../db/connect.ts'
import { queryAllShards } from '../db/layout.ts'

/** What the database server says of itself. */
type DatabaseServer = {
  version: string
  version_number: number
  /** Unix time of its clock. */
  now_s: number
  /** Client connections of all its databases, and how many it allows us. */
  connections: number
  connections_limit: number
  read_only: boolean
}

export async function readServer(db: Db): Promise<DatabaseServer> {
  const [row] = await db<DatabaseServer[]>`
    select current_setting('server_version') as version, current_setting('server_version_num')::integer as version_number,
      extract(epoch from clock_timestamp())::float8 as now_s,
      (select count(*)::integer from pg_stat_activity
        where datid is not null and coalesce(backend_type, 'client backend') = 'client backend') as connections,
      current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
        as connections_limit,
      pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only`
  if (!row) throw new Error('The database did not describe itself.')
  return row
}

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

/** Endpoints of all organisations whose attempts fail, or that the service disabled. */
export async function countFailingWebhooks(db: Db): Promise<{ failing: number; disabled: number }> {
  const shards = await queryAllShards<{ failing: number; disabled: number }>(
    db,
    'webhooks',
    `select (count(*) filter (where enabled and failing_since is not null))::integer as failing,
      (count(*) filter (where disabled_reason is not null))::integer as disabled
    from %s`,
  )
  return {
    failing: shards.reduce((sum, { failing }) => sum + failing, 0),
    disabled: shards.reduce((sum, { disabled }) => sum + disabled, 0),
  }
}

/** Senders of all live organisations that wait for a decision, and for how many days the first has. */
export async function countWaitingSenders(db: Db): Promise<{ count: number; days: number }> {
  const [row] = await db<{ count: number; days: number }[]>`
    select count(*)::integer as count,
      coalesce(extract(epoch from now() - min(coalesce(senders.updated_datetime, senders.created_datetime))) / 86400, 0)
        ::float8 as days
    from senders join organisations on organisations.id = senders.organisation_id
    where state = 'pending' and organisations.mode = 'live'`
  return row ?? { count: 0, days: 0 }
}

/** API keys in use that expire within so many days, and the days until the first does. */
export async function countExpiringKeys(db: Db, within_days: number): Promise<{ count: number; days: number }> {
  const [row] = await db<{ count: number; days: number }[]>`
    select count(*)::integer as count,
      coalesce(extract(epoch from min(expires_datetime) - now()) / 86400, 0)::float8 as days
    from api_keys
    where revoked_datetime is null and expires_datetime between now() and now() + ${within_days} * interval '1 day'`
  return row ?? { count: 0, days: 0 }
}
