import { createHmac } from 'node:crypto'

/** The auth token of a key. */
export type AuthTokenOf = (key_id: string) => string

/**
 * Twilio-style credentials for a key: the account SID is the organisation's id, and the auth token also signs callbacks.
 * The token is derived from the key's id with a secret of the installation, so it is not stored, does not reveal the key,
 * and is revoked with it.
 */
export function makeAuthTokenOf(secret: Uint8Array): AuthTokenOf {
  return (key_id) => createHmac('sha256', secret).update(key_id).digest('hex').slice(0, TOKEN_LENGTH)
}

export function accountSid(organisation_id: string): string {
  return `AC${organisation_id.replaceAll('-', '')}`
}

const TOKEN_LENGTH = 32
const LOGIN = /^AC([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12}):([0-9a-f]{32})$/

/** `AC…:token`, accepted in place of an API key. */
export function readLogin(text: string): { organisation_id: string; auth_token: string } | undefined {
  const [, a, b, c, d, e, auth_token] = LOGIN.exec(text) ?? []
  return auth_token === undefined ? undefined : { organisation_id: `${a}-${b}-${c}-${d}-${e}`, auth_token }
}
