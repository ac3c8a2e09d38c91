import { isRecord } from '../../values/record.ts'

/** The parts of an OpenAPI 3.1 document that the reference shows. */
export type Document = {
  info: { title: string; version: string; summary?: string; description?: string; 'x-build'?: string }
  tags?: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  components?: { responses?: Record<string, Response>; securitySchemes?: Record<string, SecurityScheme> }
}

export type Operation = {
  summary?: string
  description?: string
  tags?: string[]
  deprecated?: boolean
  parameters?: (Parameter | Reference)[]
  requestBody?: Body | Reference
  responses?: Record<string, Response | Reference>
  security?: Record<string, string[]>[]
  /** Method name in clients. */
  'x-client-method'?: string
  /** Scopes the key needs. */
  'x-scopes'?: string[]
}

export type Parameter = {
  name: string
  in: string
  required?: boolean
  description?: string
  example?: unknown
  schema?: Schema
}

export type Body = { required?: boolean; description?: string; content?: Content }
export type Response = { description?: string; content?: Content }
export type Content = Record<string, { schema?: Schema; example?: unknown }>
type SecurityScheme = { name?: string; in?: string; description?: string }
export type Reference = { $ref: string }

export type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  patternProperties?: Record<string, Schema>
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  example?: unknown
  examples?: unknown[]
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  multipleOf?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
  deprecated?: boolean
}

/** One operation with its anchor in the page. */
export type Entry = { id: string; method: string; path: string; operation: Operation }
export type Chapter = { id: string; name: string; description: string; entries: Entry[] }

/** Resolves a `$ref`; other values are returned as they are. */
export type Resolve = <T extends object>(thing: T | Reference) => T

export function resolver(document: object): Resolve {
  return <T extends object>(thing: T | Reference): T => {
    let found: unknown = thing
    for (let hops = 0; hops < MAX_HOPS && isReference(found); hops++) found = lookUp(document, found.$ref)
    // What a reference names is of the kind that stands where the reference does; a broken one names nothing.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return (isReference(found) || !isRecord(found) ? {} : found) as T
  }
}

const MAX_HOPS = 8
const METHODS = ['get', 'post', 'put', 'patch', 'delete']

function isReference(thing: unknown): thing is Reference {
  return typeof thing === 'object' && thing !== null && '$ref' in thing && typeof thing.$ref === 'string'
}

function lookUp(document: object, ref: string): unknown {
  const steps = ref
    .replace(/^#\//, '')
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  return steps.reduce<unknown>((at, step) => (isRecord(at) ? at[step] : undefined), document)
}

/** Operations by tag, both in the order of the document. */
export function chapters(document: Document): Chapter[] {
  const idOf = idMaker()
  const found = new Map<string, Chapter>()
  const chapterOf = (name: string, description = ''): Chapter => {
    const chapter = found.get(name) ?? { id: idOf(`tag ${name}`), name, description, entries: [] }
    found.set(name, chapter)
    return chapter
  }
  for (const { name, description } of document.tags ?? []) chapterOf(name, description)
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (!METHODS.includes(method)) continue
      const entry = { id: idOf(`${method} ${path}`), method: method.toUpperCase(), path, operation }
      chapterOf(operation.tags?.[0] ?? 'Other').entries.push(entry)
    }
  }
  return [...found.values()].filter(({ entries }) => entries.length > 0)
}

/** Makes unique anchors: `/sms/{id}` and `/sms/id` would be equal, so the second is numbered. */
function idMaker(): (text: string) => string {
  const taken = new Map<string, number>()
  return (text) => {
    const slug = text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '')
    const count = (taken.get(slug) ?? 0) + 1
    taken.set(slug, count)
    return count === 1 ? slug : `${slug}--${count}`
  }
}
