import type { Db, Tx } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { newId } from '../../values/id.ts'
import { present } from '../../values/record.ts'
import { Refusal } from '../../values/refusal.ts'
import { recordAudit, type Actor } from '../audit.ts'
import type { Client, Entry, UserDeps } from '../deps.ts'
import { deleteDevices } from './device-store.ts'
import { keepDevice } from './device.ts'
import type { OpenSession } from '../schema.ts'
import {
  deleteOldest,
  deleteSession,
  deleteSessions,
  findSession,
  insertSession,
  listSessions,
  noteSeen,
  type SessionUser,
} from './session-store.ts'
import { hashToken, LONGEST_TOKEN, newToken } from './token.ts'

/** Wake-up that makes every process check whether the sessions of its open console pages have ended. */
export const SESSIONS_ENDED = 'sessions-ended'

/** Maximum number of sessions per user; a new one ends the oldest. */
const MOST_SESSIONS = 20
/** Minimum interval between updates of `seen_datetime`. */
const NOTE_EVERY_S = 60
const LONGEST_AGENT = 300

/** Opens a session and registers the device as known. */
export async function openSession(
  tx: Tx,
  { session_settings }: Pick<UserDeps, 'session_settings'>,
  user_id: string,
  client: Client,
  { hours = session_settings.session_hours, waits_for_code = false } = {},
): Promise<Entry> {
  const token = newToken()
  const user_agent = client.user_agent?.slice(0, LONGEST_AGENT) ?? null
  const id = newId()
  const session = { id, token_hash: hashToken(token), user_id, address: client.address, user_agent, waits_for_code }
  await insertSession(tx, session, hours)
  await deleteOldest(tx, user_id, MOST_SESSIONS)
  return { token, session_id: id, device_token: await keepDevice(tx, user_id, client.device_token) }
}

/** Ends all sessions of a user and forgets the known devices. */
export async function endAccess(tx: Tx, user_id: string): Promise<void> {
  await deleteSessions(tx, user_id)
  await deleteDevices(tx, user_id)
}

/** The user of a session cookie; undefined if the session has ended or never existed. */
export async function visitorOf(
  { db, session_settings }: Pick<UserDeps, 'db' | 'session_settings'>,
  token: string,
): Promise<SessionUser | undefined> {
  if (token.length > LONGEST_TOKEN) return undefined
  const session = await findSession(db, hashToken(token), session_settings.idle_minutes)
  if (session && session.unseen_s > NOTE_EVERY_S) await noteSeen(db, session.session_id)
  return session
}

export async function findOwnSessions(
  { db, session_settings }: Pick<UserDeps, 'db' | 'session_settings'>,
  { user_id, session_id }: SessionUser,
): Promise<OpenSession[]> {
  const rows = await listSessions(db, user_id, session_settings.idle_minutes)
  return rows.map(({ id, address, user_agent, created_datetime, seen_datetime, expires_datetime }) => ({
    id,
    current: id === session_id,
    ...present('address', address),
    ...present('user_agent', user_agent),
    created_datetime,
    seen_datetime,
    expires_datetime,
  }))
}

export async function endOwnSession(deps: { db: Db }, user_id: string, id: string): Promise<void> {
  if (!(await deleteSession(deps.db, user_id, id))) throw new Refusal('not_found', 'There is no such session.')
}

/** Ends one session of the user, or all except the current one. */
export async function endElsewhere(
  deps: { db: Db },
  who: Actor,
  { user_id, session_id, organisation_id }: SessionUser,
  id?: string,
): Promise<void> {
  await transaction(deps.db, async (tx) => {
    if (id === undefined) await deleteSessions(tx, user_id, session_id)
    else if (!(await deleteSession(tx, user_id, id))) throw new Refusal('not_found', 'There is no such session.')
    const after = { sessions: id === undefined ? 'all others' : 'one' }
    await recordAudit(tx, who, { organisation_id, action: 'user.sessions_end', subject: user_id, after })
  })
}

/** The user of an open session, without extending it: an open page does not keep a session alive. */
export async function findOpen(
  { db, session_settings }: Pick<UserDeps, 'db' | 'session_settings'>,
  token: string,
): Promise<SessionUser | undefined> {
  return findSession(db, hashToken(token), session_settings.idle_minutes)
}
