import { Refusal } from '../../values/refusal.ts'

const LONGEST = 2_048

export type Login = { username: string; password: string }

/** User name and password of HTTP Basic (RFC 7617); undefined where the header has none. */
export function readBasic(authorization: string | undefined): Login | undefined {
  const [, encoded] = /^Basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(authorization ?? '') ?? []
  if (encoded === undefined || encoded.length > LONGEST) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) }
}

export function noLogin(): Refusal {
  return new Refusal('unauthenticated', 'A user name and an API key are required by HTTP Basic.')
}
