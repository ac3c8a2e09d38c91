import type { JsonSchema } from '../support/from-schema.ts'
import type { Parameter } from '../support/openapi.ts'
import { waysIn, writeWith } from './leaves.ts'

/**
 * Large and repetitive input for one value of one operation. It is generated when it is sent, because each is a
 * megabyte. A body is JSON unless `type` says otherwise.
 */
export type Large = { input: string; path: string; type?: string; body?: () => string }

/** Space for the rest of the body. */
const MARGIN = 4_096
/** Node's HTTP server accepts heads of up to 16 KiB. */
const LONGEST_QUERY = 15_000

/** Content of texts: characters that some code splits, searches, matches, counts or escapes. */
const FILLINGS: Record<string, string> = {
  x: 'x',
  blanks: ' ',
  commas: ',',
  numbers: '08031234567,',
  zeros: '0',
  placeholders: '{{a}}',
  'open braces': '{{',
  'defaults without end': '{{a|',
  links: 'https://a.example/ ',
  'links in brackets': '(https://a.example',
  'escaped quotes': '\\"',
  backslashes: '\\\\',
  'two bytes each': 'é',
  'pairs of surrogates': '😀',
  'line breaks': '\\n',
  NULs: '\\u0000',
  'signs and at': '@.',
}

/** Brackets and quotes that are opened and never closed. */
const OPENINGS: Record<string, string> = {
  'an open placeholder, blanks': '{{ ',
  'a default, blanks': '{{a| ',
  'a link, brackets': 'https://a.example/(',
  'a link, dots': 'https://a.example/.',
  'a quote, blanks': '\\" ',
}

const list = (items: number, item: string): string => `[${Array.from({ length: items }, () => item).join(',')}]`
const fill = (text: string, bytes: number): string => text.repeat(Math.floor(bytes / Buffer.byteLength(text)))

function nested(open: string, close: string, levels: number): string {
  return open.repeat(levels) + close.repeat(levels)
}

/** Distinct names, which a parser cannot cache. */
function object(keys: number, value: string): string {
  return `{${Array.from({ length: keys }, (_, n) => `"k${n.toString(36)}":${value}`).join(',')}}`
}

/** All large replacements of one value, each with its name; none is longer than `bytes`. */
function largeValues(value: unknown, limit: number | undefined, bytes: number): Record<string, () => string> {
  const all: Record<string, () => string> = {}
  const own = Array.isArray(value) ? JSON.stringify(value[0] ?? '') : JSON.stringify(value)
  for (const item of new Set(['{}', '1', 'null', '[]', '""', own])) {
    if (limit !== undefined) all[`${limit} and one × ${name(item)}`] = () => list(limit + 1, item)
    for (const items of [10_000, 100_000, 1_000_000]) {
      const fitting = Math.min(items, Math.floor(bytes / (item.length + 1)) - 1)
      if (fitting >= items / 4) all[`${items} × ${name(item)}`] = () => list(fitting, item)
    }
  }
  for (const [filling, text] of Object.entries(FILLINGS)) all[`text of ${filling}`] = () => `"${fill(text, bytes)}"`
  for (const [opening, text] of Object.entries(OPENINGS)) {
    // Also at a length within the limits of a text: quadratic time shows there, too.
    for (const length of [bytes - text.length, 4_000, 30_000]) {
      all[`${opening} × ${length}`] = () => `"${text}${text.slice(-1).repeat(length)}"`
    }
  }
  for (const one of ['1', '""', own].filter((text) => text.length < 200)) {
    const keys = Math.min(100_000, Math.floor(bytes / (one.length + 9)))
    all[`${keys} fields of ${name(one)}`] = () => object(keys, one)
  }
  all['10,000 lists in lists'] = () => nested('[', ']', 10_000)
  all['10,000 objects in objects'] = () => nested('{"a":', '}', 10_000).replace('}', '1}')
  all['lists in lists to the limit'] = () => nested('[', ']', Math.floor(bytes / 2))
  return all
}

const name = (text: string): string => (text.length > 20 ? `${text.slice(0, 20)}…` : text)

/**
 * Every value of every valid body, one after the other, and every parameter. The path's own id is marked with `
 *
 * `.
 */
export function largeRequests(
  path: string,
  parameters: readonly Parameter[],
  saleWrite: readonly object[],
  schema: JsonSchema | undefined,
  body_limit: number,
): Large[] {
  const plain = path.replace('¶', '')
  const requests: Large[] = []
  for (const good of saleWrite) {
    for (const way of waysIn(good)) {
      const value = way.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], good)
      const bytes = body_limit - MARGIN - JSON.stringify(good).length
      const place = way.join('.') || 'body'
      for (const [input, text] of Object.entries(largeValues(value, limitAt(schema, way), bytes))) {
        requests.push({ input: `${place}: ${input}`, path: plain, body: () => writeWith(good, way, text()) })
      }
    }
  }
  for (const { name: parameter, in: kind } of parameters.filter(({ in: where }) => where === 'query')) {
    const again = `${encodeURIComponent(parameter)}=1&`
    const times = Math.floor(LONGEST_QUERY / again.length)
    requests.push({ input: `${kind} ${parameter} ${times} times`, path: `${plain}?${again.repeat(times)}` })
    for (const filling of ['x', '%2C', '0', '{{', '%5B', 'a%3D']) {
      const text = encodeURI(filling).repeat(Math.floor(LONGEST_QUERY / encodeURI(filling).length) - 10)
      requests.push({ input: `${kind} ${parameter}: text of ${filling}`, path: `${plain}?${parameter}=${text}` })
    }
  }
  return requests
}

function limitAt(schema: JsonSchema | undefined, way: readonly (string | number)[]): number | undefined {
  let at = schema
  for (const key of way) at = at?.properties?.[key] ?? at?.items
  return at?.maxItems
}
