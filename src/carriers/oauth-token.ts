import type { HttpClient, HttpRequest } from '../values/http/client.ts'
import { at } from './vendor-values.ts'

export type Token = { kind: 'token'; token: string } | { kind: 'refused' | 'unreached'; description: string }

export type TokenSource = {
  current(): Promise<Token>
  /** The vendor refused the token: the next one is fetched. False if there was none. */
  forget(): boolean
}

/** A token is replaced this long before it expires, so that none expires in flight. */
const MARGIN_MS = 60_000
const MIN_LIFETIME_MS = 5_000
const DEFAULT_LIFETIME_S = 3_600

/** OAuth client credentials: fetches a token, caches it, and shares one fetch among concurrent callers. */
export function makeTokenSource(http: HttpClient, request: HttpRequest): TokenSource {
  let cached: { token: string; until: number } | undefined
  let fetching: Promise<Token> | undefined

  async function fetchToken(): Promise<Token> {
    const answer = await http.call(request)
    if (answer.kind !== 'answered') return { kind: 'unreached', description: `no token: ${answer.description}` }
    const { status, json } = answer
    const token = at(json, 'access_token')
    if (status !== 200 || typeof token !== 'string') {
      const is_refused = status === 400 || status === 401 || status === 403
      return { kind: is_refused ? 'refused' : 'unreached', description: `no token: HTTP ${status}` }
    }
    const expires_in = Number(at(json, 'expires_in') ?? DEFAULT_LIFETIME_S)
    cached = { token, until: Date.now() + Math.max(MIN_LIFETIME_MS, 1_000 * expires_in - MARGIN_MS) }
    return { kind: 'token', token }
  }

  return {
    async current() {
      if (cached && Date.now() < cached.until) return { kind: 'token', token: cached.token }
      fetching ??= fetchToken().finally(() => {
        fetching = undefined
      })
      return fetching
    },
    forget() {
      const had = cached !== undefined
      cached = undefined
      return had
    },
  }
}
