import { Type, type Static, AnyName } from '../values/schema/type.ts'
import { LONGEST_PASSWORD } from './login/password.ts'
import { code, SecondFactor } from './login/schema.ts'
import { ROLES, type Role as OrganisationRole } from './roles.ts'

export type { Area } from './roles.ts'

const organisation_role = Type.Unsafe<OrganisationRole>({ type: 'string', enum: [...ROLES] })
const email = Type.String({ maxLength: 254 })
const name = Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f]*$' })
/** Longer than allowed, so that `passwordFaults` reports the actual limit. */
const password = Type.String({ maxLength: 4 * LONGEST_PASSWORD })
const token = Type.String({ minLength: 1, maxLength: 200 })

export const LoginBody = Type.Object({ email, password, ...SecondFactor.properties })
export type LoginBody = Static<typeof LoginBody>

export const LinkBody = Type.Object({ token })
export type LinkBody = Static<typeof LinkBody>

export const WelcomeBody = Type.Object({
  token,
  password,
  email: Type.Optional(email),
  name: Type.Optional(name),
})
export type WelcomeBody = Static<typeof WelcomeBody>

/** Languages of the console. */
const LANGUAGES = ['en', 'fr'] as const
export type Language = (typeof LANGUAGES)[number]

/** Null is the language of the browser. */
export const SelfChange = Type.Object(
  {
    name: Type.Optional(name),
    language: Type.Optional(Type.Unsafe<Language | null>({ type: ['string', 'null'], enum: [...LANGUAGES, null] })),
  },
  { minProperties: 1 },
)
export type SelfChange = Static<typeof SelfChange>

export const PasswordBody = Type.Object({ current_password: password, password })
export type PasswordBody = Static<typeof PasswordBody>

export const ConfirmBody = Type.Object({ password })
export type ConfirmBody = Static<typeof ConfirmBody>

export const CodeBody = Type.Object({ code })
export type CodeBody = Static<typeof CodeBody>

export const InviteBody = Type.Object({
  email,
  name: Type.Optional(name),
  operator: Type.Optional(Type.Boolean()),
  role: Type.Optional(organisation_role),
})
export type InviteBody = Static<typeof InviteBody>

export const UserChange = Type.Object(
  { disabled: Type.Optional(Type.Boolean()), role: Type.Optional(organisation_role) },
  { minProperties: 1 },
)
export type UserChange = Static<typeof UserChange>

const timestamp = Type.String({ format: 'date-time' })
const id = Type.String({ format: 'uuid' })

/** An operator of the installation, or a role within an organisation. */
const Role = Type.Unsafe<'operator' | OrganisationRole>({ type: 'string', enum: ['operator', ...ROLES] })

/** A user as the console shows it. */
export const User = Type.Object({
  id,
  email: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  /** The chosen language of the console; the browser's if absent. */
  language: Type.Optional(Type.Unsafe<Language>({ type: 'string', enum: [...LANGUAGES] })),
  role: Role,
  organisation_id: Type.Optional(id),
  totp: Type.Boolean(),
  /** The number of passkeys. */
  passkeys: Type.Integer(),
  recovery_codes_left: Type.Optional(Type.Integer()),
  state: Type.Unsafe<'invited' | 'active' | 'disabled'>({ type: 'string', enum: ['invited', 'active', 'disabled'] }),
  /** The single sign-on provider; absent for users with a password. */
  provider: Type.Optional(Type.String()),
  created_datetime: timestamp,
  last_login_datetime: Type.Optional(timestamp),
})
export type User = Static<typeof User>

export type Invitation = { user: User; token: string; expires_datetime: string }

/** The purpose of a one-time link. */
export const LinkAnswer = Type.Object({
  email: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  role: Role,
  expires_datetime: timestamp,
  /** `enter` logs an operator in without a password. */
  purpose: Type.Unsafe<'invite' | 'reset' | 'enter'>({ type: 'string', enum: ['invite', 'reset', 'enter'] }),
})
export type LinkAnswer = Static<typeof LinkAnswer>

/** A TOTP secret for an authenticator app, not yet confirmed by a code. */
export const TotpProposal = Type.Object({ secret: Type.String(), otpauth_url: Type.String() })
export type TotpProposal = Static<typeof TotpProposal>

export const OpenSession = Type.Object({
  id,
  current: Type.Boolean(),
  address: Type.Optional(Type.String()),
  user_agent: Type.Optional(Type.String()),
  created_datetime: timestamp,
  seen_datetime: timestamp,
  expires_datetime: timestamp,
})
export type OpenSession = Static<typeof OpenSession>

/** Values of fields before or after a change. */
const Fields = Type.Record(AnyName, Type.Unknown())

export const AuditEntry = Type.Object({
  id,
  user_id: Type.Optional(id),
  actor: Type.String(),
  address: Type.Optional(Type.String()),
  action: Type.String(),
  subject: Type.Optional(Type.String()),
  before: Type.Optional(Fields),
  after: Type.Optional(Fields),
  created_datetime: timestamp,
})
export type AuditEntry = Static<typeof AuditEntry>

export const MAX_VIEWS = 50

const filter = Type.Optional(Type.String({ maxLength: 255, pattern: '^[^\\u0000]*$' }))

/** Named filters of the message list, as in the query string of the page. */
export const SavedViewBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 60, pattern: '^[^\\u0000-\\u001f]*$' }),
  query: Type.Object({ q: filter, status: filter, range: filter, from: filter, until: filter }),
})
export type SavedViewBody = Static<typeof SavedViewBody>

/** Belongs to one user in one organisation. */
export const SavedView = Type.Object({ id, ...SavedViewBody.properties, created_datetime: timestamp })
export type SavedView = Static<typeof SavedView>
