import type { Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { recordAudit, type Actor } from '../users/audit.ts'
import type { Client, Entry, UserDeps } from '../users/deps.ts'
import { dropLinks } from '../users/link-store.ts'
import { factorsOf } from '../users/login/second-factor.ts'
import { endAccess, openSession } from '../users/login/session.ts'
import { findUser, findUsersByEmail, insertUser, noteLogin, type UserRow } from '../users/store.ts'
import { newId } from '../values/id.ts'
import { Refusal } from '../values/refusal.ts'
import { actorOf, applyPlace, claimsOf, evaluateRules, nameIn, verifiedEmail, type Judgement } from './person.ts'
import type { Provider, SignedIn } from './provider.ts'
import { sealTokens } from './sealed.ts'
import { insertProviderSession } from './session-store.ts'
import { findByIdentity, linkIdentity, lockIdentity, lockPerson, nameProvider } from './store.ts'

type Deps = Pick<UserDeps, 'db' | 'seal' | 'session_settings'>
type Coming = { provider: Provider; signed: SignedIn; judgement: Judgement; who: Actor }

/**
 * Opens a session for a user whom the provider has authenticated: found by issuer and subject, else by verified email
 * address, else created if a rule assigns a role. Concurrent sign-ins of one subject are serialised.
 */
export async function enterByProvider(
  deps: Deps,
  provider: Provider,
  signed: SignedIn,
  client: Client,
): Promise<{ entry: Entry; waits_for_code: boolean }> {
  const { settings } = provider
  const judgement = await evaluateRules(deps, settings, claimsOf(signed))
  const coming = { provider, signed, judgement, who: { ...actorOf(provider), address: client.address } }
  return transaction(deps.db, async (tx) => {
    await lockIdentity(tx, { issuer: settings.issuer, subject: signed.subject })
    const known = await knownPerson(tx, coming)
    const user = await settle(tx, coming, known ?? (await newPerson(tx, coming)))
    const waits_for_code = settings.ask_code && factorsOf(user).length > 0
    await noteLogin(tx, user.id)
    await recordAudit(
      tx,
      { user_id: user.id, actor: user.email ?? '', address: client.address },
      {
        organisation_id: user.organisation_id,
        action: 'user.login',
        subject: user.id,
        after: {
          by: settings.name,
          issuer: settings.issuer,
          ...(waits_for_code ? { second_factor: 'asked for' } : {}),
        },
      },
    )
    const entry = await openSession(tx, deps, user.id, client, { waits_for_code })
    const { session_id } = entry
    const tokens = sealTokens(deps, session_id, signed.tokens)
    const { issuer } = settings
    await insertProviderSession(tx, { session_id, issuer, subject: signed.subject, sid: signed.sid, tokens }, settings)
    return { entry, waits_for_code }
  })
}

async function knownPerson(tx: Tx, { provider, signed }: Coming): Promise<UserRow | undefined> {
  const { issuer, name } = provider.settings
  const id = await findByIdentity(tx, { issuer, subject: signed.subject })
  if (id === undefined) return undefined
  await lockPerson(tx, id)
  await nameProvider(tx, id, name)
  const user = await findUser(tx, id)
  // A concurrent reset removes the link to the provider.
  return user?.issuer === issuer && user.subject === signed.subject ? user : undefined
}

/** A subject that is new to us: links the account with the verified address, or creates one. */
async function newPerson(tx: Tx, coming: Coming): Promise<UserRow> {
  const { settings } = coming.provider
  const email = verifiedEmail(settings, coming.signed)
  if (email === undefined) {
    throw refused(`${settings.label} has not confirmed that your email address is verified.`)
  }
  const found = (await findAccount(tx, coming, email)) ?? (await make(tx, coming, email))
  // Links first: `welcome` locks the link and then the user, so the same order avoids a deadlock.
  await dropLinks(tx, found)
  await lockPerson(tx, found)
  const user = await findUser(tx, found)
  if (!user || user.issuer !== null || !coming.judgement.speaksForUser(user)) throw taken(coming, email)
  const identity = { issuer: settings.issuer, subject: coming.signed.subject }
  if (!(await linkIdentity(tx, user.id, identity, settings.name)))
    throw new Error('a locked user was linked concurrently')
  await endAccess(tx, user.id)
  const record = { organisation_id: user.organisation_id, subject: user.id, after: { email, ...identity } }
  await recordAudit(tx, coming.who, { ...record, action: 'user.link' })
  return { ...user, ...identity, provider: settings.name, password_hash: null }
}

/** An account with this address that the provider may sign in; preferably in the organisation that a rule assigns. */
async function findAccount(tx: Tx, { judgement }: Coming, email: string): Promise<string | undefined> {
  const { place, speaksForUser } = judgement
  const known = (await findUsersByEmail(tx, email)).filter((user) => user.issuer === null && speaksForUser(user))
  return (known.find((user) => place && user.organisation_id === place.organisation_id) ?? known[0])?.id
}

async function make(tx: Tx, coming: Coming, email: string): Promise<string> {
  const { judgement, signed, who } = coming
  const { place } = judgement
  const { label } = coming.provider.settings
  // Does not reveal whether the address has accounts outside the provider's authority.
  if (!place)
    throw refused(`No user who logs in with ${label} has the address ${email}, and no rule for ${label} admits you.`)
  const id = newId()
  const { organisation_id, role } = place
  const name = nameIn(claimsOf(signed))
  if (!(await insertUser(tx, { id, organisation_id, email, name, role }))) {
    // Created concurrently, or linked to another provider.
    const other = await findAccount(tx, coming, email)
    if (other === undefined) throw taken(coming, email)
    return other
  }
  const after = organisation_id === null ? { email } : { email, role }
  await recordAudit(tx, who, { organisation_id, action: 'user.join', subject: id, after })
  return id
}

async function settle(tx: Tx, { judgement, provider, who }: Coming, user: UserRow): Promise<UserRow> {
  if (user.disabled_datetime !== null) throw refused('This account is disabled.')
  const { place } = judgement
  if (!place) {
    if (!user.role_by_provider) return user
    throw refused(`No rule for ${provider.settings.label} assigns you a role any more.`)
  }
  await applyPlace(tx, who, user, place)
  return { ...user, ...place }
}

function taken({ provider }: Coming, email: string): Refusal {
  return refused(`${email} belongs to a user who does not log in with ${provider.settings.label}.`)
}

function refused(sentence: string): Refusal {
  return new Refusal('forbidden', sentence)
}
