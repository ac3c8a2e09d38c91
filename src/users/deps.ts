import type { Db } from '../db/connect.ts'
import type { Seal } from '../values/secrets/seal.ts'
import type { Passwords } from './login/password.ts'
import type { SessionSettings } from './settings.ts'

/** Dependencies of this module; each function takes the ones it uses. */
export type UserDeps = {
  db: Db
  passwords: Passwords
  session_settings: SessionSettings
  /** Encrypts the TOTP secrets in the database. */
  seal: Seal
}

/** Where the browser sees the console: its origin, and the host that its passkeys belong to. */
export type Site = { origin: string; rp_id: string }

/** The origin of a request. */
export type Client = {
  address: string
  site: Site
  user_agent: string | null
  /** The secret of a device that a user has logged in with before, from its cookie. */
  device_token: string | null
}

/** The secrets for the cookies of a new session. Only their hashes are stored. */
export type Entry = { token: string; device_token: string; session_id: string }
