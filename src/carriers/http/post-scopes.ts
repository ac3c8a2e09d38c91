import { parseJson, parseJsonOrRefuse } from '../../values/input/parse-json.ts'
import { hasTooManyFields, MAX_FORM_FIELDS, readForm } from '../../values/input/read-form.ts'
import { readOctets } from '../../values/octets/fields.ts'
import { isRecord } from '../../values/record.ts'
import { asText, type Scope } from './mapping/path.ts'

/** An HTTP request that a vendor sent to one of our addresses. */
export type Post = {
  /** Path and query, as received. */
  url: string
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  raw: Buffer
  ip: string
}

/** The parts of a post: those that entries are read from, and those that a signature may cover. */
export type PostScopes = { entries: Scope; signed: Scope }

type PostSettings = {
  options: Readonly<Record<string, string>>
  credentials: Readonly<Record<string, string>>
}

const MAX_FORM_LENGTH = 64 * 1024
/** A signature over fields covers those of a single report. A larger body is not parsed to verify it. */
const MAX_SIGNED_VALUES = 1_000

/**
 * Each part is computed when it is first read: a post with a wrong signature is refused before its body is parsed, unless
 * the fields are what is signed; then the parse is bounded. Which parts a path may use is checked when it is compiled.
 */
export function postScopes(
  { url, headers, raw }: Post,
  public_url: string,
  { options, credentials }: PostSettings,
): PostScopes {
  const query_text = url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''
  const text = once(() => raw.toString('utf8'))
  const query = once(() => formFields(query_text))
  const form = once(() => formFields(text()))
  const is_json = once(() => typeOf(headers).includes('json') || /^\s*[{[]/.test(text()))
  const signed_body = once(() => (is_json() ? parseJson(text(), MAX_SIGNED_VALUES) : form()))
  const signed_fields = once(() => sorted({ ...(raw.length === 0 ? query() : {}), ...flatFields(signed_body()) }))
  const shared = { query, header: once(() => firstValues(headers)), options: () => options }
  return {
    entries: scopeOf({
      ...shared,
      body: once(() => (is_json() ? parseJsonOrRefuse(text()) : form())),
      /** The query with one character per octet, for texts in a charset that another field names. */
      octets: once(() => octetFields(query_text)),
    }),
    signed: scopeOf({
      ...shared,
      body: signed_body,
      raw: text,
      url: () => `${public_url}${url}`,
      /** Twilio's form: names and values without separators. */
      sorted_fields: () =>
        signed_fields()
          .map(([name, value]) => name + value)
          .join(''),
      /** Vonage's form: without the signature itself. */
      sorted_pairs: () =>
        signed_fields()
          .filter(([name]) => name !== 'sig')
          .map(([name, value]) => `&${name}=${value.replace(/[&=]/g, '_')}`)
          .join(''),
      credentials: () => credentials,
    }),
  }
}

/** A scope whose parts are computed when they are read. */
function scopeOf(parts: Record<string, () => unknown>): Scope {
  return Object.defineProperties(
    {},
    Object.fromEntries(Object.entries(parts).map(([name, get]) => [name, { get, enumerable: true }])),
  )
}

function once<V>(read: () => V): () => V {
  let known: { value: V } | undefined
  return () => (known ??= { value: read() }).value
}

function firstValues(headers: Post['headers']): Record<string, string | undefined> {
  const first: Record<string, string | undefined> = Object.create(null)
  for (const name of Object.keys(headers)) {
    const value = headers[name]
    first[name] = typeof value === 'string' ? value : value?.[0]
  }
  return first
}

function typeOf(headers: Post['headers']): string {
  return String(headers['content-type'] ?? '').toLowerCase()
}

function formFields(text: string): Record<string, string> {
  const fields: Record<string, string> = Object.create(null)
  for (const [name, value] of (text.length > MAX_FORM_LENGTH ? undefined : readForm(text)) ?? []) fields[name] = value
  return fields
}

function octetFields(text: string): Record<string, string> {
  if (text.length > MAX_FORM_LENGTH || hasTooManyFields(text)) return {}
  return Object.fromEntries([...readOctets(text)].map(([name, value]) => [name, value.toString('latin1')]))
}

/** The fields of an object that have a text; a list has none. */
function flatFields(body: unknown): Record<string, string> {
  const fields: Record<string, string> = Object.create(null)
  if (!isRecord(body) || Array.isArray(body)) return fields
  for (const [name, value] of Object.entries(body).slice(0, MAX_FORM_FIELDS)) {
    const text = asText(value)
    if (text !== undefined) fields[name] = text
  }
  return fields
}

function sorted(fields: Record<string, string>): [string, string][] {
  return Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))
}
