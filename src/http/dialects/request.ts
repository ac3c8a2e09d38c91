import { MAX_FORM_FIELDS } from '../../values/input/read-form.ts'
import { Refusal } from '../../values/refusal.ts'
import { FormText } from '../body/forms.ts'
import type { BodyPolicy } from '../body/policy.ts'

/** Enough for the longest text and a few hundred recipients, percent-encoded. */
const FORM_LIMIT = 256 * 1024
/** Forms in either encoding, or JSON. */
export const FORM_BODY: BodyPolicy = { takes: ['form', 'multipart', 'json'], bytes: FORM_LIMIT }

/** Fields of a form or query, each with all its values. */
export type Form = ReadonlyMap<string, readonly string[]>

/** Reads a form, or a query as parsed by Fastify; of JSON objects, the strings, numbers and booleans. */
export function readForm(given: unknown): Form {
  if (given instanceof FormText) return fieldsOf(new URLSearchParams(given.text))
  const entries = typeof given === 'object' && given !== null ? Object.entries(given) : []
  return fieldsOf(entries.flatMap(([name, value]: [string, unknown]) => pairsOf(name, value)))
}

function pairsOf(name: string, value: unknown): [string, string][] {
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values.flatMap((one): [string, string][] =>
    typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean' ? [[name, String(one)]] : [],
  )
}

function fieldsOf(pairs: Iterable<[string, string]>): Form {
  const fields = new Map<string, string[]>()
  let count = 0
  for (const [name, value] of pairs) {
    if (++count > MAX_FORM_FIELDS) throw new Refusal('invalid_request', `A form has at most ${MAX_FORM_FIELDS} fields.`)
    const known = fields.get(name)
    if (known) known.push(value)
    else fields.set(name, [value])
  }
  return fields
}

/** The first value of the first field that is not empty. */
export function field(form: Form, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = form.get(name)?.[0]
    if (value !== undefined && value !== '') return value
  }
  return undefined
}

const LONGEST = 2_048

export type Login = { username: string; password: string }

/** User name and password of HTTP Basic (RFC 7617). */
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
