import { Type, type Static } from 'typebox'
import { LONGEST_PASSWORD } from './password.ts'

const email = Type.String({ maxLength: 254 })
const name = Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f]*$' })
/** Longer than any password may be, so that the fault names the real bound. */
const password = Type.String({ maxLength: 4 * LONGEST_PASSWORD })
const token = Type.String({ minLength: 1, maxLength: 200 })
const code = Type.String({ maxLength: 40 })

export const LoginBody = Type.Object({ email, password, code: Type.Optional(code) })
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

export const NameBody = Type.Object({ name })
export type NameBody = Static<typeof NameBody>

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
})
export type InviteBody = Static<typeof InviteBody>

export const DisableBody = Type.Object({ disabled: Type.Boolean() })
export type DisableBody = Static<typeof DisableBody>

export type Role = 'operator' | 'user'

/** A person as the console shows them. */
export type User = {
  id: string
  email?: string
  name?: string
  role: Role
  organisation_id?: string
  totp: boolean
  recovery_codes_left?: number
  state: 'invited' | 'active' | 'disabled'
  created_datetime: string
  last_login_datetime?: string
}

export type Invitation = { user: User; token: string; expires_datetime: string }

/** What a one-time link is for. */
export type LinkAnswer = {
  email?: string
  name?: string
  role: Role
  expires_datetime: string
  purpose: 'invite' | 'reset'
}

export type OpenSession = {
  id: string
  current: boolean
  address?: string
  user_agent?: string
  created_datetime: string
  seen_datetime: string
  expires_datetime: string
}

export type AuditEntry = {
  id: string
  user_id?: string
  actor: string
  address?: string
  action: string
  subject?: string
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  created_datetime: string
}
