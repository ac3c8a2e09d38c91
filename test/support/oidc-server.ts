import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import { Provider, type Context } from 'oidc-provider'

/** A user of the provider. */
export type Account = {
  email?: string
  email_verified?: boolean
  name?: string
  groups?: string[]
  /** Disabled at the provider. */
  gone?: boolean
}

export type OidcServer = {
  issuer: string
  accounts: Map<string, Account>
  /** The user who signs in at the next prompt; null: they decline. */
  who: string | null
  /** Changes ID tokens before they are sent; signed again with the provider's key, or with another one. */
  tamper: ((claims: JWTPayload) => JWTPayload) | undefined
  stranger_signs: boolean
  /** Sends no responses any more, and keeps connections open. */
  hangs: boolean
  /** New signing keys, published immediately. */
  rotate(): Promise<void>
  /** A logout token as the provider would post it. */
  logoutToken(claims: Record<string, unknown>, event?: string): Promise<string>
  /** Closes all connections; pending requests are aborted. */
  close(): Promise<void>
}

export const CLIENT = { client_id: 'gangan', client_secret: 'a secret between the two of us' }

type Wish = {
  /** The address of our service, once it is known. */
  service: () => string
  /** The pages of npm `oidc-provider`, for a browser. */
  pages?: boolean
  refresh?: boolean
}

/** npm `oidc-provider` on loopback, over real HTTP: an independent OpenID Connect provider. */
export async function startOidc({ service, pages = false, refresh = true }: Wish): Promise<OidcServer> {
  let keys = await newKeys('first')
  let handler: ReturnType<Provider['callback']> | undefined
  let provider: Provider | undefined
  const stranger = await newKeys('guest')

  const server = createServer((request, response) => {
    if (oidc.hangs) return
    if (request.url?.startsWith('/interaction/') && !pages) return void interact(request, response)
    if (request.url === '/token' && (oidc.tamper || oidc.stranger_signs)) changeToken(response)
    handler ??= build()
    void handler(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  function build(): ReturnType<Provider['callback']> {
    provider = new Provider(issuer, configuration())
    return provider.callback()
  }

  function configuration(): object {
    return {
      clients: [
        {
          ...CLIENT,
          redirect_uris: [`${service()}/console/sign-in/company/return`, `${service()}/console/sign-in/other/return`],
          grant_types: ['authorization_code', 'refresh_token'],
          backchannel_logout_uri: `${service()}/console/sign-in/company/logout`,
          backchannel_logout_session_required: true,
        },
      ],
      jwks: { keys: [keys.jwk] },
      // Otherwise it does not post to loopback addresses.
      fetch: (url: URL, { method, headers, body }: RequestInit) => fetch(url, { method, headers, body } as RequestInit),
      cookies: { keys: ['for tests only'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      scopes: ['openid', 'email', 'profile', 'groups', 'offline_access'],
      features: { devInteractions: { enabled: pages }, backchannelLogout: { enabled: true } },
      issueRefreshToken: () => refresh,
      rotateRefreshToken: true,
      findAccount: (_context: unknown, id: string) => {
        const account = oidc.accounts.get(id)
        if (!account || account.gone) return undefined
        const { gone: _, ...claims } = account
        return { accountId: id, claims: () => ({ sub: id, ...claims }) }
      },
      // Consent is always given.
      ...(pages ? {} : { loadExistingGrant: agree }),
      ttl: { AccessToken: 600, RefreshToken: 3_600, Session: 3_600, Grant: 3_600, Interaction: 600, IdToken: 600 },
      interactions: pages ? undefined : { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    }
  }

  async function agree({ oidc: { client, session, params, provider: own } }: Context): Promise<unknown> {
    const grant = new own.Grant({ accountId: session.accountId, clientId: client.clientId })
    grant.addOIDCScope(params.scope)
    await grant.save()
    return grant
  }

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = { error: 'access_denied', error_description: 'You said no.' }
    await provider?.interactionDetails(request, response)
    const result = oidc.who === null ? refusal : { login: { accountId: oidc.who } }
    await provider?.interactionFinished(request, response, result)
  }

  function changeToken(response: ServerResponse): void {
    const end = response.end.bind(response)
    const change = async (body: string): Promise<void> => {
      const answer: { id_token?: string } = JSON.parse(body)
      if (answer.id_token !== undefined) {
        const claims = oidc.tamper?.(decodeJwt(answer.id_token)) ?? decodeJwt(answer.id_token)
        answer.id_token = await sign(claims, oidc.stranger_signs ? { ...stranger, kid: keys.kid } : keys)
      }
      const changed = JSON.stringify(answer)
      response.setHeader('content-length', Buffer.byteLength(changed))
      end(changed)
    }
    const ending = (body: unknown): ServerResponse => {
      void change(String(body))
      return response
    }
    response.end = ending
  }

  const oidc: OidcServer = {
    issuer,
    accounts: new Map(),
    who: null,
    tamper: undefined,
    stranger_signs: false,
    hangs: false,
    async rotate() {
      keys = await newKeys(`after ${keys.kid}`)
      handler = build()
    },
    logoutToken: (claims, event = 'http://schemas.openid.net/event/backchannel-logout') =>
      sign(
        {
          iss: issuer,
          aud: CLIENT.client_id,
          iat: Math.floor(Date.now() / 1_000),
          exp: Math.floor(Date.now() / 1_000) + 120,
          jti: crypto.randomUUID(),
          events: { [event]: {} },
          ...claims,
        },
        keys,
        'logout+jwt',
      ),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return oidc
}

type Keys = Awaited<ReturnType<typeof newKeys>>

async function newKeys(kid: string) {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { kid, privateKey, jwk: { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' } }
}

async function sign(claims: JWTPayload, { kid, privateKey }: Pick<Keys, 'kid' | 'privateKey'>, typ = 'JWT') {
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, typ }).sign(privateKey)
}
