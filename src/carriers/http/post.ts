import { parseJson, parseJsonOrRefuse } from '../../values/input/parse-json.ts'
import { MAX_FORM_FIELDS, readForm } from '../../values/input/read-form.ts'
import type { Scope } from './mapping/path.ts'

/** What a vendor sent to one of our addresses. */
export type Post = {
  /** Path and query, as they came. */
  url: string
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  raw: Buffer
  ip: string
}

/** What of a carrier's settings paths may lead into, too. */
type PostSettings = {
  options: Readonly<Record<string, string>>
  credentials: Readonly<Record<string, string>>
}

/** The parts of a post that paths lead into: those of its entries, and in addition those that a signature may be over. */
export type PostScopes = { entries: Scope; signed: Scope }

const LONGEST_FORM = 64 * 1024
/** A signature over fields is over those of a single report. A fuller body is not parsed to find it. */
const MAX_SIGNED_VALUES = 1_000

/**
 * The parts are read when they are asked for, and once: a post that is not the vendor's is refused before its body is
 * parsed, unless the fields are what is signed; then it is parsed as far as such a body goes. Which parts a path may lead
 * into is said where it is compiled.
 */
export function postScopes({ url, headers, raw }: Post, public_url: string, more: PostSettings): PostScopes {
  const text = once(() => raw.toString('utf8'))
  const is_json = once(() => typeOf(headers).includes('json') || /^\s*[{[]/.test(text()))
  const query = once(() => formFields(url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''))
  const body = once(() => (is_json() ? parseJsonOrRefuse(text()) : formFields(text())))
  const header = once(() => firstOfEach(headers))
  const signed_body = once(() => (is_json() ? parseJson(text(), MAX_SIGNED_VALUES) : body()))
  const fields = once(() => ({ ...(raw.length === 0 ? query() : {}), ...flat(signed_body()) }))
  const entries = {
    get query() {
      return query()
    },
    get body() {
      return body()
    },
    get header() {
      return header()
    },
    options: more.options,
  }
  const signed = {
    get query() {
      return query()
    },
    get body() {
      return signed_body()
    },
    get header() {
      return header()
    },
    get raw() {
      return text()
    },
    url: `${public_url}${url}`,
    /** Twilio's spelling: names and values without anything between them. */
    get sorted_fields() {
      return sorted(fields())
        .map(([name, value]) => name + value)
        .join('')
    },
    /** Vonage's spelling: without the signature itself. */
    get sorted_pairs() {
      return sorted(fields())
        .filter(([name]) => name !== 'sig')
        .map(([name, value]) => `&${name}=${value.replace(/[&=]/g, '_')}`)
        .join('')
    },
    options: more.options,
    credentials: more.credentials,
  }
  return { entries, signed }
}

function firstOfEach(headers: Post['headers']): Record<string, string | undefined> {
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
  for (const [name, value] of (text.length > LONGEST_FORM ? undefined : readForm(text)) ?? []) fields[name] = value
  return fields
}

/** The fields of an object; a list has none. */
function flat(body: unknown): Record<string, string> {
  const fields: Record<string, string> = Object.create(null)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return fields
  let count = 0
  for (const [name, value] of Object.entries(body)) {
    count += 1
    if (count > MAX_FORM_FIELDS) break
    if (typeof value !== 'object') fields[name] = String(value)
  }
  return fields
}

function sorted(fields: Record<string, string>): [string, string][] {
  return Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))
}

function once<V>(read: () => V): () => V {
  let known: { value: V } | undefined
  return () => (known ??= { value: read() }).value
}
