import type { Db } from '../db/connect.ts'
import type { Seal } from '../values/secrets/seal.ts'
import type { Passwords } from './login/password.ts'
import type { SessionSettings } from './settings.ts'

/** What the room needs of the service; functions ask for the part they use. */
export type UserDeps = {
  db: Db
  passwords: Passwords
  session_settings: SessionSettings
  /** Keeps the secrets of authenticators unreadable in the tables. */
  seal: Seal
}

/** Where a request comes from, as far as it says. */
export type Client = {
  address: string
  user_agent: string | null
  /** The secret of a device that somebody has logged in with before, if the request brings one. */
  device_token: string | null
}

/** The secrets for the cookies of somebody who came in, the only time they are seen. */
export type Entry = { token: string; device_token: string; session_id: string }
