import { readOctets } from '../../values/octets/fields.ts'
import { parseJson } from '../vendor-words.ts'
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

/** A vendor's form has a dozen fields. */
const MAX_FIELDS = 500
const LONGEST_FORM = 64 * 1024

/**
 * The parts that paths lead into. They are read when they are asked for, and once: a post that is not the vendor's is
 * turned away before its body is looked at, unless that is what is signed. Which of them, and of `more`, a path may lead
 * into is said where it is compiled.
 */
export function postScope({ url, headers, raw }: Post, public_url: string, more: PostSettings): Scope {
  const asked = url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''
  const query = once(() => readForm(asked))
  const octets = once(() => octetsOf(asked))
  const body = once(() => readBody(raw, typeOf(headers)))
  const header = once(() => firstOfEach(headers))
  const fields = once(() => ({ ...(raw.length === 0 ? query() : {}), ...flat(body()) }))
  return {
    get query() {
      return query()
    },
    /** The query again, each character an octet: for a text in an alphabet that another field names. */
    get octets() {
      return octets()
    },
    get body() {
      return body()
    },
    get header() {
      return header()
    },
    get raw() {
      return raw.toString('utf8')
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

/** JSON where it says so or looks so; a form otherwise. */
function readBody(raw: Buffer, type: string): unknown {
  const text = raw.toString('utf8')
  if (type.includes('json') || /^\s*[{[]/.test(text)) return parseJson(text)
  return readForm(text)
}

function readForm(text: string): Record<string, string> {
  if (text.length > LONGEST_FORM) return {}
  const fields: Record<string, string> = Object.create(null)
  let count = 0
  for (const [name, value] of new URLSearchParams(text)) {
    count += 1
    if (count > MAX_FIELDS) return {}
    fields[name] = value
  }
  return fields
}

function octetsOf(text: string): Record<string, string> {
  if (text.length > LONGEST_FORM) return {}
  return Object.fromEntries([...readOctets(text)].map(([name, value]) => [name, value.toString('latin1')]))
}

function flat(body: unknown): Record<string, string> {
  if (typeof body !== 'object' || body === null) return {}
  const entries = Object.entries(body).slice(0, MAX_FIELDS)
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === 'object' ? [] : [[name, String(value)]])),
  )
}

function sorted(fields: Record<string, string>): [string, string][] {
  return Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))
}

function once<V>(read: () => V): () => V {
  let known: { value: V } | undefined
  return () => (known ??= { value: read() }).value
}
