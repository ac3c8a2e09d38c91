import * as client from 'openid-client'
import { cached } from '../values/concurrency/cached.ts'
import { makeBoundedFetch, type BoundedFetch } from './bounded-fetch.ts'
import { makeReadLogout, type Logout } from './logout-token.ts'
import type { Claims } from './rules.ts'
import type { ProviderSettings } from './settings.ts'

/** The state of a sign-in, kept in an encrypted cookie, so that it completes in the browser that started it. */
export type Attempt = { provider: string; state: string; nonce: string; code_verifier: string }

/** Tokens for later checks with the provider. */
export type Tokens = { access_token: string; refresh_token?: string | undefined }

/** Claims about a user. `id_token` is signed and takes precedence; after a refresh either may be missing. */
export type Said = { subject: string; id_token: Claims | undefined; userinfo: Claims | undefined }

export type SignedIn = Said & { sid: string | undefined; tokens: Tokens }

export type Provider = {
  settings: ProviderSettings
  begin(redirect_uri: string): Promise<{ url: string; attempt: Attempt }>
  /** Exchanges the code in the return URL. Throws unless state, nonce, PKCE and signature are valid. */
  finish(returned_to: URL, attempt: Attempt): Promise<SignedIn>
  refresh(refresh_token: string): Promise<{ tokens: Tokens; id_token: Claims | undefined }>
  /** Undefined if the provider has no userinfo endpoint. */
  readUser(tokens: Tokens, subject: string): Promise<Claims | undefined>
  readLogout(logout_token: string): Promise<Logout>
}

/** How long the discovery document is cached. */
const DISCOVERY_TTL_MS = 10 * 60_000
/** How long a failed discovery is cached, so that users of an unavailable provider get an immediate error. */
const FAILURE_TTL_MS = 5_000

/** Discovery happens at first use, so that an unavailable provider does not prevent the start. */
export function makeProvider(settings: ProviderSettings): Provider {
  const boundedFetch = makeBoundedFetch()
  const discovered = cached(DISCOVERY_TTL_MS, () => discover(settings, boundedFetch), {
    failure_ttl_ms: FAILURE_TTL_MS,
  })
  const discovery = (): Promise<client.Configuration> => discovered('')

  return {
    settings,

    async begin(redirect_uri) {
      const config = await discovery()
      const attempt = {
        provider: settings.name,
        state: client.randomState(),
        nonce: client.randomNonce(),
        code_verifier: client.randomPKCECodeVerifier(),
      }
      const url = client.buildAuthorizationUrl(config, {
        ...settings.parameters,
        redirect_uri,
        scope: settings.scopes.join(' '),
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(attempt.code_verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, attempt }
    },

    async finish(returned_to, { state, nonce, code_verifier }) {
      // A new configuration fetches the signing keys again, so that a key rotation does not fail sign-ins.
      const config = configurationOf(settings, (await discovery()).serverMetadata(), boundedFetch)
      const answer = await client.authorizationCodeGrant(config, returned_to, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: code_verifier,
        idTokenExpected: true,
      })
      const id_token = answer.claims()
      if (!id_token || !isWord(id_token.sub)) throw new Error('there is no ID token with a valid subject')
      const tokens = tokensOf(answer)
      const userinfo = await readUser(config, tokens, id_token.sub)
      const sid = isWord(id_token.sid) ? id_token.sid : undefined
      return { subject: id_token.sub, id_token, userinfo, sid, tokens }
    },

    async refresh(refresh_token) {
      const answer = await client.refreshTokenGrant(await discovery(), refresh_token)
      return { tokens: { refresh_token, ...tokensOf(answer) }, id_token: answer.claims() }
    },

    readUser: async (tokens, subject) => readUser(await discovery(), tokens, subject),

    readLogout: makeReadLogout(settings, async () => (await discovery()).serverMetadata(), boundedFetch),
  }
}

async function discover(settings: ProviderSettings, boundedFetch: BoundedFetch): Promise<client.Configuration> {
  const found = await client.discovery(new URL(settings.issuer), settings.client_id, undefined, client.None(), {
    [client.customFetch]: boundedFetch,
    execute: isLocal(settings) ? [client.allowInsecureRequests] : [],
  })
  return configurationOf(settings, found.serverMetadata(), boundedFetch)
}

function configurationOf(
  settings: ProviderSettings,
  server: client.ServerMetadata,
  boundedFetch: BoundedFetch,
): client.Configuration {
  const config = new client.Configuration(server, settings.client_id, {}, authOf(settings))
  config[client.customFetch] = boundedFetch
  if (isLocal(settings)) client.allowInsecureRequests(config)
  // Verifies the signature of ID tokens even though they arrive over TLS.
  client.enableNonRepudiationChecks(config)
  return config
}

function authOf({ client_secret, client_auth }: ProviderSettings): client.ClientAuth {
  if (client_secret === undefined) return client.None()
  return client_auth === 'post' ? client.ClientSecretPost(client_secret) : client.ClientSecretBasic(client_secret)
}

async function readUser(
  config: client.Configuration,
  { access_token }: Tokens,
  subject: string,
): Promise<Claims | undefined> {
  if (config.serverMetadata().userinfo_endpoint === undefined) return undefined
  return client.fetchUserInfo(config, access_token, subject)
}

function tokensOf({ access_token, refresh_token }: { access_token: string; refresh_token?: string }): Tokens {
  return { access_token, ...(refresh_token === undefined ? {} : { refresh_token }) }
}

/** A subject as OpenID Connect allows it. */
function isWord(value: unknown): value is string {
  return typeof value === 'string' && /^[^\p{C}]{1,255}$/u.test(value)
}

/** The settings allow http for loopback addresses only. */
function isLocal({ issuer }: ProviderSettings): boolean {
  return issuer.startsWith('http:')
}
