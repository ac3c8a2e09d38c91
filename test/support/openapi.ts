import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import type { JsonSchema } from './from-schema.ts'

export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: JsonSchema }

/** One operation of the API description, ready to be called and to have its responses validated. */
export type Operation = {
  method: string
  path: string
  name: string
  needs_key: boolean
  /** The required scopes. */
  scopes: string[]
  /** The chapter of the reference. */
  tag: string
  parameters: Parameter[]
  /** The body's schema by content type. */
  body: Record<string, JsonSchema>
  /** Responds with a file, which may contain all data. */
  is_file: boolean
  /** Violations of the declared schema in a response, as sentences. */
  check(answer: { status: number; type: string; text: string }): string[]
}

type Content = Record<string, { schema?: JsonSchema }>
type Described = { content?: Content; $ref?: string }
type Written = {
  security?: { key?: string[] }[]
  'x-scopes'?: string[]
  tags?: string[]
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, Described>
}
type Document = {
  paths: Record<string, Record<string, Written>>
  components: { responses: Record<string, Described>; schemas: Record<string, JsonSchema> }
  webhooks: Record<string, { post: { requestBody: { content: Content } } }>
}

const FILE = new URL('../../openapi.json', import.meta.url)

/** Every operation of openapi.json. */
export function readOperations(): Operation[] {
  const document = readDocument()
  const ajv = new Ajv({ allErrors: true, strict: false })
  ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/)
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, written]) => operation(ajv, document, path, method.toUpperCase(), written)),
  )
}

/** The description with all references resolved, so that a schema can be used alone. */
export function readDocument(): Document {
  const written = JSON.parse(readFileSync(FILE, 'utf8')) as Document
  const inPlace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inPlace)
    if (typeof value !== 'object' || value === null) return value
    const ref = (value as { $ref?: unknown }).$ref
    const name = typeof ref === 'string' ? /^#\/components\/schemas\/(.+)$/.exec(ref)?.[1] : undefined
    if (name !== undefined) return inPlace(written.components.schemas[name])
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inPlace(part)]))
  }
  return inPlace(written) as Document
}

function operation(ajv: Ajv, document: Document, path: string, method: string, written: Written): Operation {
  const answers = new Map(
    Object.entries(written.responses).map(([status, described]) => [
      Number(status),
      readAnswer(ajv, resolve(document, described)),
    ]),
  )
  return {
    method,
    path,
    name: `${method} ${path}`,
    needs_key: (written.security ?? []).length > 0,
    scopes: written['x-scopes'] ?? [],
    tag: written.tags?.[0] ?? '',
    parameters: written.parameters ?? [],
    body: Object.fromEntries(
      Object.entries(written.requestBody?.content ?? {}).map(([type, { schema }]) => [type, schema ?? {}]),
    ),
    is_file:
      path.endsWith('/export') || 'text/csv' in (resolve(document, written.responses['200'] ?? {}).content ?? {}),
    check({ status, type, text }) {
      const declared = answers.get(status)
      if (!declared) return [`answered ${status}, which is not declared`]
      return declared(type, text)
    },
  }
}

function resolve({ components }: Document, described: Described): Described {
  const name = described.$ref?.split('/').at(-1)
  return name === undefined ? described : (components.responses[name] ?? {})
}

function readAnswer(ajv: Ajv, { content }: Described): (type: string, text: string) => string[] {
  const validate: ValidateFunction | undefined = content?.['application/json']?.schema
    ? ajv.compile(content['application/json'].schema)
    : undefined
  return (type, text) => {
    if (!content) return text === '' ? [] : ['has a body although none is declared']
    const kind = type.split(';')[0] ?? ''
    if (!(kind in content)) return [`is ${kind || 'of no type'}, declared are ${Object.keys(content).join(', ')}`]
    if (!validate || kind !== 'application/json') return []
    return validate(JSON.parse(text)) ? [] : (validate.errors ?? []).map((one) => `${one.instancePath} ${one.message}`)
  }
}
