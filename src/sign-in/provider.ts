import * as client from 'openid-client'
import { cached } from '../values/concurrency/cached.ts'
import { makeBoundedFetch, type BoundedFetch } from './bounded-fetch.ts'
import { makeReadLogout, type Logout } from './logout-token.ts'
import type { Claims } from './rules.ts'
import type { ProviderSettings } from './settings.ts'

/** What begins in a browser has to end in the same one: kept there, sealed, until the provider sends it back. */
export type Attempt = { provider: string; state: string; nonce: string; code_verifier: string }

/** What the provider is asked with later, whether it still knows the person. */
export type Tokens = { access_token: string; refresh_token?: string | undefined }

/** What it says about somebody. `id_token` is signed and goes before `userinfo`; after a refresh either may be missing. */
export type Said = { subject: string; id_token: Claims | undefined; userinfo: Claims | undefined }

export type SignedIn = Said & { sid: string | undefined; tokens: Tokens }

export type Provider = {
  settings: ProviderSettings
  begin(redirect_uri: string): Promise<{ url: string; attempt: Attempt }>
  /** Of the address the browser came back to. Throws unless all of it is as it should be. */
  finish(returned_to: URL, attempt: Attempt): Promise<SignedIn>
  refresh(refresh_token: string): Promise<{ tokens: Tokens; id_token: Claims | undefined }>
  /** Undefined where the provider has no such address. */
  readUser(tokens: Tokens, subject: string): Promise<Claims | undefined>
  readLogout(logout_token: string): Promise<Logout>
}

/** How long it is believed where a provider's addresses are. */
const DISCOVERED_MS = 10 * 60_000
/** While a provider is away, clicks on its button are told so at once, and do not each ask and wait. */
const AWAY_MS = 5_000

/** One provider. It is first asked when somebody needs it: one that is away keeps nobody else from starting. */
export function makeProvider(settings: ProviderSettings): Provider {
  const boundedFetch = makeBoundedFetch()
  const discovered = cached(DISCOVERED_MS, () => discover(settings, boundedFetch), AWAY_MS)
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
      // With keys that are read now, so that a change of the provider's keys keeps nobody out.
      const config = configurationOf(settings, (await discovery()).serverMetadata(), boundedFetch)
      const answer = await client.authorizationCodeGrant(config, returned_to, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: code_verifier,
        idTokenExpected: true,
      })
      const id_token = answer.claims()
      if (!id_token || !isWord(id_token.sub)) throw new Error('there is no ID token, or nobody in it')
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
  // The signature of ID tokens is checked, too, not only where they come from.
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

/** What the standard allows as a subject. */
function isWord(value: unknown): value is string {
  return typeof value === 'string' && /^[^\p{C}]{1,255}$/u.test(value)
}

/** Settings allow http on this machine only. */
function isLocal({ issuer }: ProviderSettings): boolean {
  return issuer.startsWith('http:')
}
