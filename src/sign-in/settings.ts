import { Type, type Static, AnyName } from '../values/schema/type.ts'
import { ROLES, type Role } from '../users/roles.ts'
import { isId } from '../values/id.ts'

/** The id of an organisation, or a keyword; never a name, because customers can change names. */
const organisation = Type.String({ minLength: 1, maxLength: 200 })
const path = Type.String({ minLength: 1, maxLength: 4_096 })

/** Matches a claim that equals this value, contains it in a list, or has it as a key. */
const Claim = {
  claim: Type.String({ minLength: 1, maxLength: 200 }),
  value: Type.String({ minLength: 1, maxLength: 500 }),
}

const RoleRule = Type.Object(
  { ...Claim, organisation, role: Type.Unsafe<Role>({ type: 'string', enum: [...ROLES] }) },
  { additionalProperties: false },
)
export type RoleRule = Static<typeof RoleRule>

const OperatorRule = Type.Object(Claim, { additionalProperties: false })
export type OperatorRule = Static<typeof OperatorRule>

/** An OpenID Connect provider and the rights that its users get. */
export const ProviderSettings = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,39}$' }),
    label: Type.String({ minLength: 1, maxLength: 60 }),
    issuer: Type.String({ minLength: 1, maxLength: 500 }),
    client_id: Type.String({ minLength: 1, maxLength: 500 }),
    client_secret: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })),
    client_secret_env: Type.Optional(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,99}$' })),
    client_secret_file: Type.Optional(path),
    client_auth: Type.Unsafe<'basic' | 'post'>({ type: 'string', enum: ['basic', 'post'], default: 'basic' }),
    scopes: Type.Array(Type.String({ pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,200}$' }), {
      maxItems: 50,
      default: ['openid', 'email', 'profile'],
    }),
    parameters: Type.Record(AnyName, Type.String({ maxLength: 500 }), {
      maxProperties: 20,
      default: {},
    }),
    verified_claim: Type.String({ minLength: 1, maxLength: 200, default: 'email_verified' }),
    roles: Type.Array(RoleRule, { maxItems: 1_000, default: [] }),
    operators: Type.Array(OperatorRule, { maxItems: 100, default: [] }),
    existing_users: Type.Array(organisation, { maxItems: 1_000, default: [] }),
    ask_code: Type.Boolean({ default: false }),
    check_s: Type.Integer({ minimum: 1, maximum: 86_400, default: 300 }),
    unreachable_s: Type.Integer({ minimum: 1, maximum: 604_800, default: 3_600 }),
  },
  { additionalProperties: false },
)
export type ProviderSettings = Static<typeof ProviderSettings>

/** The section `sign_in` of the configuration file. */
export const SignInSettings = Type.Object(
  {
    password: Type.Boolean({ default: true }),
    providers: Type.Array(ProviderSettings, { maxItems: 20, default: [] }),
  },
  { additionalProperties: false, default: {} },
)
export type SignInSettings = Static<typeof SignInSettings>

/** Keyword for the organisation that the first start creates. */
export const FIRST = 'first'
/** Keywords of `existing_users`. */
export const EVERYBODY = '*'
export const OPERATORS = 'operators'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']
/** Parameters that Gangan sets itself. */
const RESERVED = [
  'client_id',
  'client_secret',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'redirect_uri',
  'request',
  'request_uri',
  'response_mode',
  'response_type',
  'scope',
  'state',
]

/** Faults that the schema cannot express. */
export function signInFaults({ password, providers }: SignInSettings): string[] {
  const faults = providers.flatMap((provider, n) =>
    [...providerFaults(provider), ...twiceFaults(providers, n)].map((fault) => `sign_in.providers.${n}.${fault}`),
  )
  if (!password && providers.length === 0) faults.push('sign_in.password: must be true if there are no providers')
  return faults
}

function providerFaults(provider: ProviderSettings): string[] {
  const { issuer, scopes, parameters, roles, operators, existing_users, check_s, unreachable_s } = provider
  const faults: string[] = []
  if (!isSafe(issuer)) faults.push('issuer: must be an https address without a query (http only on this machine)')
  if (!scopes.includes('openid')) faults.push('scopes: openid is missing')
  for (const name of Object.keys(parameters).filter((one) => RESERVED.includes(one))) {
    faults.push(`parameters.${name}: is set by Gangan and cannot be configured`)
  }
  if (roles.length + operators.length + existing_users.length === 0) {
    faults.push('roles: at least one of roles, operators and existing_users is required')
  }
  faults.push(...organisationFaults(provider))
  if (unreachable_s < check_s) faults.push('unreachable_s: must be at least check_s')
  return faults
}

function organisationFaults({ roles, existing_users }: ProviderSettings): string[] {
  const named = [
    ...roles.map((rule, n) => ({ at: `roles.${n}.organisation`, word: rule.organisation, words: [FIRST] })),
    ...existing_users.map((word, n) => ({ at: `existing_users.${n}`, word, words: [FIRST, OPERATORS, EVERYBODY] })),
  ]
  return named
    .filter(({ word, words }) => !isId(word) && !words.includes(word))
    .map(({ at, word, words }) => {
      return `${at}: ${word} is neither the id of an organisation (see gangan organisations list) nor one of ${words.join(', ')}`
    })
}

/** Users are identified by issuer and subject, so each issuer may appear once. */
function twiceFaults(providers: readonly ProviderSettings[], n: number): string[] {
  const before = providers.slice(0, n)
  return (['name', 'issuer'] as const)
    .filter((key) => before.some((other) => other[key] === providers[n]?.[key]))
    .map((key) => `${key}: ${providers[n]?.[key]} is used twice`)
}

function isSafe(issuer: string): boolean {
  if (!URL.canParse(issuer)) return false
  const { protocol, hostname, search, hash, username } = new URL(issuer)
  if (search !== '' || hash !== '' || username !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname))
}
