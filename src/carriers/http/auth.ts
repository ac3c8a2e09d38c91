import { createHmac } from 'node:crypto'
import type { HttpRequest, HttpClient } from '../../values/http/client.ts'
import { makeTokenSource } from '../oauth-token.ts'
import { compile, compileUrl } from './mapping/template.ts'
import type { Preset } from './preset/schema.ts'
import { REQUEST_ROOTS } from './request.ts'
import { asText, type ReportFault, type Scope } from './mapping/path.ts'

/** How requests are authenticated. */
export type WriteAuth =
  | { kind: 'headers'; headers(request: HttpRequest): Record<string, string> }
  /** With a token that `request` fetches. */
  | { kind: 'oauth'; request: HttpRequest }

/** The parts that our signature may cover. */
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
      return { kind: 'oauth', request: { method: 'POST', url, headers: kind, body: form.toString() } }
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

/** Adds the credentials to requests. */
export type Authorize = {
  sign(request: HttpRequest): Promise<HttpRequest | { fault: string }>
  /** The vendor refused the credentials; true: the next token may be accepted. */
  forget(): boolean
}

export function makeAuthorize(http: HttpClient, auth: WriteAuth | undefined): Authorize {
  const tokens = auth?.kind === 'oauth' ? makeTokenSource(http, auth.request) : undefined
  return {
    async sign(request) {
      if (auth?.kind === 'headers') return { ...request, headers: { ...request.headers, ...auth.headers(request) } }
      if (!tokens) return request
      const token = await tokens.current()
      if (token.kind !== 'token') return { fault: token.description }
      return { ...request, headers: { ...request.headers, authorization: `Bearer ${token.token}` } }
    },
    forget: () => tokens?.forget() === true,
  }
}
