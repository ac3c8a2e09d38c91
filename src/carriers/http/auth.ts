import { createHmac } from 'node:crypto'
import type { HttpRequest, HttpClient } from '../../values/http/client.ts'
import { at } from '../vendor-words.ts'
import { asText, type Scope } from './mapping/path.ts'
import { compile, compileUrl, type ReportFault } from './mapping/template.ts'
import type { Preset } from './preset/schema.ts'
import { REQUEST_ROOTS } from './request.ts'

/** Who we are, in the way that the vendor wants it told. */
export type WriteAuth =
  | { kind: 'headers'; headers(call: HttpRequest): Record<string, string> }
  /** A token has to be fetched first. */
  | { kind: 'oauth'; write(): HttpRequest }

/** What a signature of ours may be over. */
const SIGNED_ROOTS = ['method', 'url', 'body', 'time', 'credentials', 'options'] as const

export function compileAuth(given: Preset['auth'], common: Scope, reportFault: ReportFault): WriteAuth | undefined {
  if (!given) return undefined
  const fill = (text: string, name: string): string =>
    asText(compile(text, REQUEST_ROOTS, `auth.${name}`, reportFault)(common)) ?? ''
  switch (given.kind) {
    case 'basic': {
      const pair = `${fill(given.username, 'username')}:${fill(given.password, 'password')}`
      return headers({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` })
    }
    case 'bearer':
      return headers({ authorization: `Bearer ${fill(given.token, 'token')}` })
    case 'oauth': {
      const url = compileUrl(given.url, REQUEST_ROOTS, 'auth.url', reportFault)(common)
      const form = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: fill(given.client_id, 'client_id'),
        client_secret: fill(given.client_secret, 'client_secret'),
        ...(given.scope === undefined ? {} : { scope: fill(given.scope, 'scope') }),
      })
      const kind = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
      return { kind: 'oauth', write: () => ({ method: 'POST', url, headers: kind, body: form.toString() }) }
    }
    case 'hmac': {
      const secret = fill(given.secret, 'secret')
      const over = compile(given.over, SIGNED_ROOTS, 'auth.over', reportFault)
      const { algorithm, encoding, header } = given
      return {
        kind: 'headers',
        headers({ method, url, body = '' }) {
          const time = String(Math.floor(Date.now() / 1_000))
          const signed = asText(over({ ...common, method, url, body, time })) ?? ''
          const signature = createHmac(algorithm, secret).update(signed).digest(encoding)
          return { [header.toLowerCase()]: signature, 'x-timestamp': time }
        },
      }
    }
  }
}

function headers(own: Record<string, string>): WriteAuth {
  return { kind: 'headers', headers: () => own }
}

/** Adds to a call who we are. */
export type Authorize = {
  sign(call: HttpRequest): Promise<HttpRequest | { fault: string }>
  /** The vendor did not take what we showed; true: there may be a newer token. */
  forget(): boolean
}

/** A token is fetched anew this long before it ends, so that none ends on its way. */
const MARGIN_MS = 60_000
const SHORTEST_MS = 5_000

/** A token is fetched once and kept; everybody who asks meanwhile waits for the same fetch. */
export function makeAuthorize(http: HttpClient, auth: WriteAuth | undefined): Authorize {
  let kept: { token: string; until: number } | undefined
  let fetching: Promise<string | { fault: string }> | undefined

  async function fetchToken(call: HttpRequest): Promise<string | { fault: string }> {
    const answer = await http.call(call)
    if (answer.kind !== 'answered') return { fault: `no token: ${answer.description}` }
    const token = at(answer.json, 'access_token')
    if (answer.status !== 200 || typeof token !== 'string') return { fault: `no token: HTTP ${answer.status}` }
    const expires_in = Number(at(answer.json, 'expires_in') ?? 3_600)
    kept = { token, until: Date.now() + Math.max(SHORTEST_MS, 1_000 * expires_in - MARGIN_MS) }
    return token
  }

  async function current(call: HttpRequest): Promise<string | { fault: string }> {
    if (kept && Date.now() < kept.until) return kept.token
    fetching ??= fetchToken(call).finally(() => {
      fetching = undefined
    })
    return fetching
  }

  return {
    async sign(call) {
      if (!auth) return call
      if (auth.kind === 'headers') return { ...call, headers: { ...call.headers, ...auth.headers(call) } }
      const token = await current(auth.write())
      if (typeof token !== 'string') return token
      return { ...call, headers: { ...call.headers, authorization: `Bearer ${token}` } }
    },
    forget() {
      const had = kept !== undefined
      kept = undefined
      return had
    },
  }
}
