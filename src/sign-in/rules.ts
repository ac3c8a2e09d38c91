import { isRecord } from '../values/record.ts'
import type { Role } from '../users/roles.ts'
import { EVERYBODY, OPERATORS, type ProviderSettings } from './settings.ts'

/** Claims of a provider about a user. */
export type Claims = Record<string, unknown>

/** Organisation and role of a user, or `operator`. */
export type Place = { organisation: string; role: Role } | 'operator'

type Rules = Pick<ProviderSettings, 'roles' | 'operators' | 'existing_users'>

/** Evaluates the rules: operators first, then the first matching role. */
export function placeBy({ roles, operators }: Pick<Rules, 'roles' | 'operators'>, claims: Claims): Place | undefined {
  if (operators.some((rule) => says(claims, rule))) return 'operator'
  const rule = roles.find((one) => says(claims, one))
  return rule && { organisation: rule.organisation, role: rule.role }
}

/** Whether the claims contain any claim that a rule uses. */
export function speaksOfRules({ roles, operators }: Pick<Rules, 'roles' | 'operators'>, claims: Claims): boolean {
  return [...operators, ...roles].some(({ claim }) => claimIn(claims, claim) !== undefined)
}

/**
 * The organisations whose existing users the provider may sign in by email address: those its rules name and those in
 * `existing_users`. It has no authority over other accounts, whatever addresses it claims to have verified.
 */
export function speaksFor({ roles, operators, existing_users }: Rules): {
  everybody: boolean
  operators: boolean
  organisations: readonly string[]
} {
  const everybody = existing_users.includes(EVERYBODY)
  return {
    everybody,
    operators: everybody || operators.length > 0 || existing_users.includes(OPERATORS),
    organisations: [...roles.map(({ organisation }) => organisation), ...existing_users],
  }
}

function says(claims: Claims, { claim, value }: { claim: string; value: string }): boolean {
  const said = claimIn(claims, claim)
  if (Array.isArray(said)) return said.some((one: unknown) => isSame(one, value))
  if (isRecord(said)) return Object.hasOwn(said, value) && grants(said[value])
  return isSame(said, value)
}

/** A key of an object matches if its value is `true` or, as in Zitadel's roles, `{ORGANISATION_ID: "its domain"}`. */
function grants(value: unknown): boolean {
  if (!isRecord(value) || Array.isArray(value)) return value === true
  return Object.values(value).some((domain) => typeof domain === 'string' && domain !== '')
}

/** Finds a claim by its full name, which may contain dots; otherwise by path, as in `realm_access.roles`. */
export function claimIn(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let at: unknown = claims
  for (const step of name.split('.')) {
    if (!isRecord(at) || !Object.hasOwn(at, step)) return undefined
    at = at[step]
  }
  return at
}

function isSame(said: unknown, value: string): boolean {
  return (typeof said === 'string' || typeof said === 'number' || typeof said === 'boolean') && String(said) === value
}
