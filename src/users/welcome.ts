import { transaction } from '../db/transaction.ts'
import { present } from '../values/record.ts'
import { Refusal, refuseIfFaulty, type Fault, type FaultType } from '../values/refusal.ts'
import { recordAudit } from './audit.ts'
import type { Client, Entry, UserDeps } from './deps.ts'
import { emailFaults } from './email.ts'
import { dropLinks, findLink, takeLink } from './link-store.ts'
import { passwordFaults } from './login/password.ts'
import type { LinkAnswer, WelcomeBody } from './schema.ts'
import { endAccess, openSession } from './login/session.ts'
import { findHashLike, findUser, noteLogin, setEmail, setName, setPassword, type UserRow } from './store.ts'
import { hashToken } from './login/token.ts'

type Found = { user: UserRow; expires_datetime: string; enters: boolean }

/** Lifetime of a session opened by a link from the command line. */
const ENTERED_HOURS = 1

/** Returns the purpose of a one-time link without consuming it. */
export async function readLink(deps: Pick<UserDeps, 'db'>, token: string): Promise<LinkAnswer & { user: UserRow }> {
  const { user, expires_datetime, enters } = await requireLink(deps, token)
  return {
    user,
    ...present('email', user.email),
    ...present('name', user.name),
    role: user.organisation_id === null ? 'operator' : user.role,
    expires_datetime,
    purpose: enters ? 'enter' : user.last_login_datetime === null ? 'invite' : 'reset',
  }
}

/**
 * Consumes a link: sets the password (and the address of the first operator) and logs the user in. All other sessions and
 * links of the user end.
 */
export async function welcome(
  deps: UserDeps,
  body: WelcomeBody,
  client: Client,
): Promise<{ entry: Entry; user: UserRow }> {
  const { user, enters } = await requireLink(deps, body.token)
  if (enters) throw gone('not_found')
  const email = user.email ?? body.email?.trim() ?? null
  const faults: Fault[] = user.email === null ? emailFaults('email', body.email) : []
  refuseIfFaulty([...faults, ...passwordFaults('password', body.password, email)])
  const action = user.last_login_datetime === null ? 'user.join' : 'user.password'
  const password_hash = await deps.passwords.hash(body.password, await findHashLike(deps.db, email))
  return transaction(deps.db, async (tx) => {
    if (!(await takeLink(tx, hashToken(body.token)))) throw gone('used')
    if (user.email === null && !(await setEmail(tx, user.id, email ?? ''))) {
      refuseIfFaulty([{ field: 'email', message: 'This address is already in use.', type: 'used' }])
    }
    if (body.name !== undefined) await setName(tx, user.id, body.name)
    if (!(await setPassword(tx, user.id, password_hash))) throw gone('used')
    await endAccess(tx, user.id)
    await dropLinks(tx, user.id)
    await noteLogin(tx, user.id)
    await recordAudit(
      tx,
      { user_id: user.id, actor: email ?? '', address: client.address },
      { organisation_id: user.organisation_id, action, subject: user.id, after: { by: 'link' } },
    )
    const entry = await openSession(tx, deps, user.id, { ...client, device_token: null })
    const now = await findUser(tx, user.id)
    if (!now) throw new Error('the user of a link was deleted')
    return { entry, user: now }
  })
}

/** Logs an operator in by a link from the command line. */
export async function enterByLink(
  deps: Pick<UserDeps, 'db' | 'session_settings'>,
  token: string,
  client: Client,
): Promise<{ entry: Entry; user: UserRow }> {
  const { user, enters } = await requireLink(deps, token)
  if (!enters || user.organisation_id !== null) throw gone('not_found')
  return transaction(deps.db, async (tx) => {
    if (!(await takeLink(tx, hashToken(token)))) throw gone('used')
    await noteLogin(tx, user.id)
    await recordAudit(
      tx,
      { user_id: user.id, actor: user.email ?? '', address: client.address },
      { organisation_id: null, action: 'user.login', subject: user.id, after: { by: 'a link of the command line' } },
    )
    return { entry: await openSession(tx, deps, user.id, client, { hours: ENTERED_HOURS }), user }
  })
}

async function requireLink({ db }: Pick<UserDeps, 'db'>, token: string): Promise<Found> {
  const link = await findLink(db, hashToken(token))
  if (!link) throw gone('not_found')
  if (link.used) throw gone('used')
  if (link.expired) throw gone('expired')
  const user = await findUser(db, link.user_id)
  if (!user || user.disabled_datetime !== null) throw gone('not_found')
  return { user, expires_datetime: link.expires_datetime, enters: link.enters }
}

function gone(type: Extract<FaultType, 'not_found' | 'used' | 'expired'>): Refusal {
  const message = {
    not_found: 'This link is unknown or was replaced by a newer one.',
    used: 'This link has already been used.',
    expired: 'This link has expired.',
  }[type]
  return new Refusal('not_found', message, [{ field: 'token', message, type }])
}
