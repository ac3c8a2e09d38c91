import type { Db, Tx } from '../db/connect.ts'
import { findFirstOrganisation } from '../organisations/store.ts'
import { recordAudit, type Actor } from '../users/audit.ts'
import { emailFaults } from '../users/email.ts'
import type { Role } from '../users/roles.ts'
import type { UserRow } from '../users/store.ts'
import { isId } from '../values/id.ts'
import { Refusal } from '../values/refusal.ts'
import type { Said } from './provider.ts'
import { claimIn, placeBy, speaksFor, type Claims } from './rules.ts'
import { FIRST, type ProviderSettings } from './settings.ts'
import { listPresent, setPlace } from './store.ts'

/** The rights that a provider's rules give to a user. */
export type Judgement = {
  /** The assigned organisation and role; `organisation_id` null: an operator. */
  place: { organisation_id: string | null; role: Role } | undefined
  /** Whether the provider may sign in this existing user by email address. */
  speaksForUser: (user: Pick<UserRow, 'organisation_id'>) => boolean
}

const LONGEST_NAME = 100

/** The claims of the ID token take precedence over those of userinfo. */
export function claimsOf({ id_token, userinfo }: Pick<Said, 'id_token' | 'userinfo'>): Claims {
  return { ...userinfo, ...id_token }
}

export async function evaluateRules(deps: { db: Db }, settings: ProviderSettings, claims: Claims): Promise<Judgement> {
  const place = placeBy(settings, claims)
  const { everybody, operators, organisations } = speaksFor(settings)
  const ids = await organisationIds(deps, organisations)
  return {
    place: await placeOf(settings, place, ids),
    speaksForUser: ({ organisation_id }) =>
      everybody || (organisation_id === null ? operators : [...ids.values()].includes(organisation_id)),
  }
}

async function placeOf(
  { label }: ProviderSettings,
  place: ReturnType<typeof placeBy>,
  ids: ReadonlyMap<string, string>,
): Promise<Judgement['place']> {
  if (place === undefined) return undefined
  if (place === 'operator') return { organisation_id: null, role: 'owner' }
  const organisation_id = ids.get(place.organisation)
  if (organisation_id !== undefined) return { organisation_id, role: place.role }
  throw new Refusal(
    'forbidden',
    `A rule for ${label} names the organisation ${place.organisation}, which does not exist.`,
  )
}

/** The organisations named in the settings that exist, by their name there. */
async function organisationIds({ db }: { db: Db }, named: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const by_id = named.filter(isId)
  const present = new Set(by_id.length === 0 ? [] : (await listPresent(db, by_id)).map(({ id }) => id))
  const ids = new Map<string, string>()
  for (const word of by_id) if (present.has(word.toLowerCase())) ids.set(word, word.toLowerCase())
  const first = named.includes(FIRST) ? await findFirstOrganisation(db) : undefined
  return first ? ids.set(FIRST, first.id) : ids
}

/** The email address, if the provider has verified it. */
export function verifiedEmail({ verified_claim }: ProviderSettings, said: Said): string | undefined {
  const { email } = claimsOf(said)
  if (typeof email !== 'string' || emailFaults('email', email).length > 0) return undefined
  const claimed = [said.id_token?.email, said.userinfo?.email].filter((one) => one !== undefined)
  if (claimed.some((one) => one !== email)) return undefined
  // Entra ID writes this claim as a number or a string.
  const verified = claimIn(claimsOf(said), verified_claim)
  return verified === true || verified === 1 || verified === '1' || verified === 'true' ? email.trim() : undefined
}

export function nameIn(claims: Claims): string | null {
  const { name } = claims
  if (typeof name !== 'string') return null
  const clean = name.replace(/\p{C}/gu, ' ').trim()
  return clean === '' ? null : Array.from(clean).slice(0, LONGEST_NAME).join('')
}

/** The actor of changes that a provider caused, for the audit log. */
export function actorOf({ settings }: { settings: ProviderSettings }): Actor {
  return { user_id: null, actor: settings.name, address: null }
}

/** Moves a user to the organisation and role that a rule assigns, and records the change in both audit logs. */
export async function applyPlace(
  tx: Tx,
  who: Actor,
  user: UserRow,
  place: { organisation_id: string | null; role: Role },
): Promise<void> {
  const same = user.organisation_id === place.organisation_id && user.role === place.role
  if (same && user.role_by_provider) return
  if (!(await setPlace(tx, user.id, place))) {
    throw new Refusal(
      'forbidden',
      'The organisation that a rule assigns you to already has an account with your address. Please ask an owner there.',
    )
  }
  if (same) return
  const { id: subject, email } = user
  const change = { before: { email, ...shownPlace(user) }, after: { email, ...shownPlace(place) } }
  for (const organisation_id of new Set([user.organisation_id, place.organisation_id])) {
    await recordAudit(tx, who, { organisation_id, action: 'user.role', subject, ...change })
  }
}

function shownPlace({ organisation_id, role }: { organisation_id: string | null; role: Role }) {
  return organisation_id === null ? { role: 'operator' } : { role, organisation_id }
}
