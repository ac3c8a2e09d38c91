import { createRemoteJWKSet, customFetch, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import type { ServerMetadata } from 'openid-client'
import { isRecord } from '../values/record.ts'
import type { BoundedFetch } from './bounded-fetch.ts'
import type { ProviderSettings } from './settings.ts'
import { isUnavailable } from './trouble.ts'

/** The session, or the subject whose sessions have all ended at the provider. `jti` identifies the token. */
export type Logout = { subject: string | undefined; sid: string | undefined; jti: string }

/** The logout token is malformed or not signed by the provider. */
export class UntrustedLogout extends Error {
  constructor(cause: unknown) {
    super('a logout token cannot be trusted', { cause })
    this.name = 'UntrustedLogout'
  }
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const MAX_AGE_S = 600
const CLOCK_TOLERANCE_S = 60
/** A token may be dated a minute ahead of our clock and is accepted until a minute after it is too old. */
export const LOGOUT_ACCEPTED_S = MAX_AGE_S + 2 * CLOCK_TOLERANCE_S

/** Verifies and reads a logout token (OpenID Connect Back-Channel Logout). */
export function makeReadLogout(
  { issuer, client_id }: ProviderSettings,
  readServer: () => Promise<ServerMetadata>,
  boundedFetch: BoundedFetch,
): (logout_token: string) => Promise<Logout> {
  let keys: { uri: string; get: JWTVerifyGetKey } | undefined

  function keysOf({ jwks_uri = '' }: ServerMetadata): JWTVerifyGetKey {
    if (keys?.uri !== jwks_uri) {
      const get = createRemoteJWKSet(new URL(jwks_uri), {
        [customFetch]: (url, { method, headers }) =>
          boundedFetch(url, { method, headers: Object.fromEntries(headers) }),
      })
      keys = { uri: jwks_uri, get }
    }
    return keys.get
  }

  return async (logout_token) => {
    const server = await readServer()
    const verified = await jwtVerify(logout_token, keysOf(server), {
      issuer: server.issuer || issuer,
      audience: client_id,
      clockTolerance: CLOCK_TOLERANCE_S,
      maxTokenAge: MAX_AGE_S,
      requiredClaims: ['iat', 'jti', 'events'],
      // Asymmetric algorithms only: a shared secret would not prove that the provider signed it.
      algorithms: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
    }).catch((fault: unknown) => {
      throw isUnavailable(fault) ? fault : new UntrustedLogout(fault)
    })
    return logoutIn(verified.payload)
  }
}

function logoutIn({ events, nonce, sub, sid, jti }: JWTPayload): Logout {
  if (!isRecord(events) || !isRecord(events[EVENT])) throw new UntrustedLogout('it is no logout token')
  if (nonce !== undefined) throw new UntrustedLogout('it has a nonce')
  if (typeof jti !== 'string' || jti === '') throw new UntrustedLogout('its jti is no text')
  const of = { subject: sub, sid: typeof sid === 'string' ? sid : undefined, jti }
  if (of.subject === undefined && of.sid === undefined)
    throw new UntrustedLogout('it names neither a person nor a session')
  return of
}
