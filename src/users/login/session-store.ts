import type { Db, Tx } from '../../db/connect.ts'
import type { Role } from '../roles.ts'

/** The user of a session. */
export type SessionUser = {
  session_id: string
  user_id: string
  organisation_id: string | null
  role: Role | 'operator'
  email: string
  name: string | null
  /** Seconds since `seen_datetime`. */
  unseen_s: number
  /** Seconds since it was opened. */
  age_s: number
}

export type SessionRow = {
  id: string
  address: string | null
  user_agent: string | null
  created_datetime: string
  seen_datetime: string
  expires_datetime: string
}

export async function insertSession(
  tx: Tx,
  session: {
    id: string
    token_hash: Buffer
    user_id: string
    address: string | null
    user_agent: string | null
    waits_for_code: boolean
  },
  hours: number,
): Promise<void> {
  await tx`
    insert into user_sessions (token_hash, id, user_id, address, user_agent, waits_for_code, expires_datetime)
    values (${session.token_hash}, ${session.id}, ${session.user_id}, ${session.address}, ${session.user_agent},
      ${session.waits_for_code}, now() + ${hours} * interval '1 hour')`
}

/**
 * Finds an open session of an enabled user. A session ends at its expiry, after the idle time, or when its single sign-on
 * provider has not confirmed it in time.
 */
export async function findSession(db: Db, token_hash: Buffer, idle_minutes: number): Promise<SessionUser | undefined> {
  const [row] = await db<SessionUser[]>`
    select user_sessions.id as session_id, user_id, organisation_id,
      case when organisation_id is null then 'operator' else role end as role, email, name,
      extract(epoch from now() - seen_datetime)::float8 as unseen_s,
      extract(epoch from now() - user_sessions.created_datetime)::float8 as age_s
    from user_sessions join users on users.id = user_id
      left join provider_sessions on session_id = user_sessions.id
    where not waits_for_code and coalesce(stands_until > now(), true)
      and token_hash = ${token_hash} and expires_datetime > now()
      and seen_datetime > now() - ${idle_minutes} * interval '1 minute' and disabled_datetime is null`
  return row
}

export async function noteSeen(db: Db, id: string): Promise<void> {
  await db`update user_sessions set seen_datetime = now() where id = ${id}`
}

export async function listSessions(db: Db, user_id: string, idle_minutes: number): Promise<SessionRow[]> {
  return db<SessionRow[]>`
    select id, address, user_agent, created_datetime, seen_datetime, expires_datetime
    from user_sessions
    where user_id = ${user_id} and not waits_for_code and expires_datetime > now()
      and seen_datetime > now() - ${idle_minutes} * interval '1 minute'
    order by id desc`
}

export async function deleteSession(sql: Db | Tx, user_id: string, id: string): Promise<boolean> {
  const gone = await sql`delete from user_sessions where user_id = ${user_id} and id = ${id}`
  return gone.count === 1
}

/** Deletes all sessions of a user, or all except one. */
export async function deleteSessions(sql: Db | Tx, user_id: string, except?: string): Promise<void> {
  await sql`
    delete from user_sessions
    where user_id = ${user_id} and (${except ?? null}::uuid is null or id <> ${except ?? null}::uuid)`
}

/** Keeps the newest sessions of a user. */
export async function deleteOldest(tx: Tx, user_id: string, kept: number): Promise<void> {
  await tx`
    delete from user_sessions
    where user_id = ${user_id} and id in (
      select id from user_sessions where user_id = ${user_id} order by id desc offset ${kept}
    )`
}
