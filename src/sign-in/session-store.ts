import type { Db, Tx } from '../db/connect.ts'
import type { Identity } from './store.ts'

export type Due = { session_id: string; user_id: string; subject: string; tokens: Buffer }

export async function insertProviderSession(
  tx: Tx,
  session: Identity & { session_id: string; sid: string | undefined; tokens: Buffer },
  { check_s, unreachable_s }: { check_s: number; unreachable_s: number },
): Promise<void> {
  await tx`
    insert into provider_sessions (session_id, issuer, subject, sid, tokens, due_datetime, stands_until)
    values (${session.session_id}, ${session.issuer}, ${session.subject}, ${session.sid ?? null}, ${session.tokens},
      now() + ${check_s} * interval '1 s', now() + ${unreachable_s} * interval '1 s')`
}

/** Claims sessions that are due for a check. Other processes skip them until the lease expires, also after a crash. */
export async function claimDue(db: Db, issuer: string, limit: number, lease_s: number): Promise<Due[]> {
  return db<Due[]>`
    with due as (
      select session_id from provider_sessions
      where issuer = ${issuer} and due_datetime <= now()
      order by due_datetime limit ${limit} for update skip locked
    )
    update provider_sessions set due_datetime = now() + ${lease_s} * interval '1 s'
    from user_sessions
    where provider_sessions.session_id in (select session_id from due) and id = provider_sessions.session_id
    returning provider_sessions.session_id, user_id, subject, tokens`
}

/** Stored before anything else: providers rotate refresh tokens, so a lost one cannot be requested again. */
export async function keepTokens(db: Db, session_id: string, tokens: Buffer): Promise<void> {
  await db`update provider_sessions set tokens = ${tokens} where session_id = ${session_id}`
}

export async function confirmSession(
  tx: Tx,
  session_id: string,
  { check_s, unreachable_s }: { check_s: number; unreachable_s: number },
): Promise<void> {
  await tx`
    update provider_sessions
    set due_datetime = now() + ${check_s} * interval '1 s', stands_until = now() + ${unreachable_s} * interval '1 s'
    where session_id = ${session_id}`
}

/** Makes the other sessions of a refused user due immediately. */
export async function hastenChecks(tx: Tx, { issuer, subject }: Identity): Promise<void> {
  await tx`
    update provider_sessions set due_datetime = now()
    where issuer = ${issuer} and subject = ${subject} and due_datetime > now()`
}

/** Ends the session that the provider named, or all sessions of a subject. Returns the users. */
export async function endSessionsOf(
  tx: Tx,
  issuer: string,
  { subject, sid }: { subject: string | undefined; sid: string | undefined },
): Promise<string[]> {
  const ended = await tx<{ user_id: string }[]>`
    delete from user_sessions using provider_sessions
    where session_id = id and issuer = ${issuer}
      and (${subject ?? null}::text is null or subject = ${subject ?? null})
      and (${sid ?? null}::text is null or sid = ${sid ?? null})
    returning user_id`
  return [...new Set(ended.map(({ user_id }) => user_id))]
}

/** Ends the sessions of providers that are no longer configured. */
export async function endSessionsBeside(db: Db, issuers: readonly string[]): Promise<number> {
  const ended = await db`
    delete from user_sessions using provider_sessions
    where session_id = id and issuer <> all (${issuers}::text[])`
  return ended.count
}

/** The session that still requires a second-factor code. */
export async function findWaiting(
  db: Db,
  token_hash: Buffer,
  minutes: number,
): Promise<{ session_id: string; user_id: string } | undefined> {
  const [row] = await db<{ session_id: string; user_id: string }[]>`
    select id as session_id, user_id from user_sessions
    where token_hash = ${token_hash} and waits_for_code
      and created_datetime > now() - ${minutes} * interval '1 minute'`
  return row
}

export async function endWaiting(tx: Tx, session_id: string): Promise<boolean> {
  const ended = await tx`update user_sessions set waits_for_code = false where id = ${session_id} and waits_for_code`
  return ended.count === 1
}
