import { createHmac } from 'node:crypto'

/** The auth token of a key. */
export type AuthTokenOf = (key_id: string) => string

/**
 * A key as Twilio's clients know credentials: an account SID, which is the organisation's id, and an auth token, which
 * also signs what is posted to them. It is made of the key's id under a secret of the installation. So it is known
 * without being kept, tells nothing of the key, and ends with it.
 */
export function makeAuthTokenOf(secret: Uint8Array): AuthTokenOf {
  return (key_id) => createHmac('sha256', secret).update(key_id).digest('hex').slice(0, TOKEN_LENGTH)
}

export function accountSid(organisation_id: string): string {
  return `AC${organisation_id.replaceAll('-', '')}`
}

const TOKEN_LENGTH = 32
const LOGIN = /^AC([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12}):([0-9a-f]{32})$/

/** `AC…:token`, which is what such a login is authenticated by in place of a key. */
export function readLogin(text: string): { organisation_id: string; auth_token: string } | undefined {
  const [, a, b, c, d, e, auth_token] = LOGIN.exec(text) ?? []
  return auth_token === undefined ? undefined : { organisation_id: `${a}-${b}-${c}-${d}-${e}`, auth_token }
}
