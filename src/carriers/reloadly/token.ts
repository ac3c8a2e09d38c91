import type { HttpClient } from '../../values/http/client.ts'
import { at } from '../vendor-words.ts'
import type { ReloadlySettings } from './schema.ts'

export type Token = { kind: 'token'; token: string } | { kind: 'refused' | 'unreached'; description: string }

export type Tokens = {
  current(): Promise<Token>
  /** Reloadly did not take this one. */
  forget(token: string): void
}

/** A token is fetched anew this long before it ends, so that none ends on its way. */
const MARGIN_MS = 60_000

/** OAuth client credentials, fetched once and kept; everybody who asks meanwhile waits for the same fetch. */
export function makeTokens(http: HttpClient, settings: ReloadlySettings): Tokens {
  let kept: { token: string; until: number } | undefined
  let fetching: Promise<Token> | undefined

  async function fetchToken(): Promise<Token> {
    const answer = await http.call({
      method: 'POST',
      url: `${settings.auth_url}/oauth/token`,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({
        client_id: settings.client_id,
        client_secret: settings.client_secret,
        grant_type: 'client_credentials',
        audience: settings.base_url,
      }),
    })
    if (answer.kind !== 'answered') return { kind: 'unreached', description: `no token: ${answer.description}` }
    const token = at(answer.json, 'access_token')
    const expires_in = Number(at(answer.json, 'expires_in') ?? 0)
    if (answer.status !== 200 || typeof token !== 'string') {
      const kind = answer.status === 400 || answer.status === 401 || answer.status === 403 ? 'refused' : 'unreached'
      return { kind, description: `no token: HTTP ${answer.status}` }
    }
    kept = { token, until: Date.now() + expires_in * 1_000 - MARGIN_MS }
    return { kind: 'token', token }
  }

  return {
    async current() {
      if (kept && Date.now() < kept.until) return { kind: 'token', token: kept.token }
      fetching ??= fetchToken().finally(() => {
        fetching = undefined
      })
      return fetching
    },
    forget(token) {
      if (kept?.token === token) kept = undefined
    },
  }
}
