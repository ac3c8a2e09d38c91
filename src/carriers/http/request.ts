import { isRecord } from '../../values/record.ts'
import type { HttpRequest } from '../../values/http/client.ts'
import { compile, compileUrl, type Template } from './mapping/template.ts'
import type { RequestText } from './preset/schema.ts'
import { asText, type ReportFault, type Scope } from './mapping/path.ts'

/** Fills a request of the preset in. */
export type WriteRequest = (scope: Scope) => HttpRequest

export const REQUEST_ROOTS = ['message', 'messages', 'all', 'credentials', 'options', 'carrier'] as const

export function compileRequest(given: RequestText, place: string, reportFault: ReportFault): WriteRequest {
  if (given.json !== undefined && given.form !== undefined) reportFault(place, 'has both json and form')
  const url = compileUrl(given.url, REQUEST_ROOTS, `${place}.url`, reportFault)
  const bulk_url =
    given.bulk_url === undefined ? url : compileUrl(given.bulk_url, REQUEST_ROOTS, `${place}.bulk_url`, reportFault)
  const part = (value: unknown, name: string): Template | undefined =>
    value === undefined ? undefined : compile(value, REQUEST_ROOTS, `${place}.${name}`, reportFault)
  const [query, json, form, headers] = [
    part(given.query, 'query'),
    part(given.json, 'json'),
    part(given.form, 'form'),
    part(given.headers, 'headers'),
  ]
  return (scope) => {
    const asked = query && writeForm(query(scope))
    const is_bulk = Array.isArray(scope.messages) && scope.messages.length > 1
    const target = (is_bulk ? bulk_url : url)(scope)
    const written = json ? JSON.stringify(json(scope) ?? {}) : form && writeForm(form(scope))
    return {
      method: given.method,
      url: asked ? `${target}${target.includes('?') ? '&' : '?'}${asked}` : target,
      headers: {
        accept: 'application/json, text/plain;q=0.9, */*;q=0.5',
        ...(json ? { 'content-type': 'application/json' } : {}),
        ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        ...writeHeaders(headers?.(scope)),
      },
      ...(written === undefined ? {} : { body: written }),
    }
  }
}

/** A list is several fields of one name. */
function writeForm(filled: unknown): string {
  const fields = new URLSearchParams()
  for (const [name, value] of Object.entries(isRecord(filled) ? filled : {})) {
    for (const one of Array.isArray(value) ? value : [value]) fields.append(name, asText(one) ?? JSON.stringify(one))
  }
  return fields.toString()
}

/** Control characters are replaced, so that no value can add a header. */
function writeHeaders(filled: unknown): Record<string, string> {
  const entries = Object.entries(isRecord(filled) ? filled : {})
  return Object.fromEntries(
    entries.map(([name, value]) => [name.toLowerCase(), (asText(value) ?? '').replace(/[^\t\x20-\x7e]+/g, ' ')]),
  )
}
