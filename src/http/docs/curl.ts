import type { Body, Entry, Parameter, Resolve, Schema } from './document.ts'
import { exampleOf, ownExample } from './example.ts'

const BASE_URL = 'http://127.0.0.1:8080'

/** A curl command: `$KEY` is the caller's API key, other values are the examples of the schemas. */
export function curlCommand(resolve: Resolve, entry: Entry): string {
  const parameters = (entry.operation.parameters ?? []).map((parameter) => resolve<Parameter>(parameter))
  const body = entry.operation.requestBody && bodyOption(resolve, resolve<Body>(entry.operation.requestBody))
  const url = urlOf(resolve, entry.path, parameters)
  const method = methodOption(entry.method, body !== undefined)
  const headers = parameters
    .filter((parameter) => parameter.in === 'header' && isShown(resolve, parameter))
    .map((parameter) => `-H ${quote(`${headerName(parameter.name)}: ${valueOf(resolve, parameter)}`)}`)
  const parts = [
    `curl ${method}${/^[\w/:.-]+$/.test(url) ? url : quote(url)}`,
    ...(entry.operation.security?.length ? ['-H "Authorization: $KEY"'] : []),
    ...headers,
    ...(body ?? []),
  ]
  return parts.join(' \\\n  ')
}

/** Capitalizes a header name: `Idempotency-Key`. */
export function headerName(name: string): string {
  return name.replaceAll(/(^|-)([a-z])/g, (_whole, before: string, letter: string) => before + letter.toUpperCase())
}

/** curl uses POST if there is a body, and GET otherwise. */
function methodOption(method: string, has_body: boolean): string {
  return method === (has_body ? 'POST' : 'GET') ? '' : `-X ${method} `
}

function urlOf(resolve: Resolve, path: string, parameters: readonly Parameter[]): string {
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((url, parameter) => url.replaceAll(`{${parameter.name}}`, valueOf(resolve, parameter)), path)
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && isShown(resolve, parameter))
    .map((parameter) => `${parameter.name}=${encodeURIComponent(valueOf(resolve, parameter))}`)
  return BASE_URL + filled + (query.length > 0 ? `?${query.join('&')}` : '')
}

function isShown(resolve: Resolve, { required, example, schema }: Parameter): boolean {
  if (required === true || example !== undefined) return true
  const { example: own, examples } = resolve<Schema>(schema ?? {})
  return own !== undefined || examples?.[0] !== undefined
}

function valueOf(resolve: Resolve, { name, example, schema }: Parameter): string {
  const value = example ?? exampleOf(resolve, schema ?? { type: 'string' }, name)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function bodyOption(resolve: Resolve, { content }: Body): string[] | undefined {
  const [type, media] = Object.entries(content ?? {})[0] ?? []
  if (type === undefined) return undefined
  const header = `-H 'Content-Type: ${type}'`
  if (!type.includes('json')) return [header, '--data-binary @file']
  const schema = resolve<Schema>(media?.schema ?? {})
  const value = media?.example ?? ownExample(schema) ?? exampleOf(resolve, schema)
  return [header, `-d ${quote(JSON.stringify(value, null, 2))}`]
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
