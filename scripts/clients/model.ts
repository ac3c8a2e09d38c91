import { isRecord } from '../../src/values/record.ts'

/** Input of every client generator: the operations that have a client method, and the shapes they use. */
export type Model = { methods: Method[]; shapes: [name: string, schema: Schema][]; events: string[] }

export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  description?: string
}

export type Method = {
  /** `contacts.rows` and `query`. */
  group: string
  name: string
  http: string
  path: string
  summary: string
  description: string
  path_params: string[]
  /** Fields of the query; none if the body has all of them. */
  query: Schema | undefined
  body: Schema | undefined
  /** The fields of the body, with references resolved. */
  body_shape: Schema | undefined
  /** The body is a file, of a type that the caller names. */
  takes_file: boolean
  /** Undefined without a response body, `text` for files that are texts, `bytes` for others. */
  answer: Schema | 'text' | 'bytes' | undefined
  /** Charged once, under an Idempotency-Key. */
  keyed: boolean
  /** The path of the entries of a page, and their type. */
  page: { field: string; entry: Schema } | undefined
}

type Operation = {
  'x-client-method'?: string
  summary: string
  description: string
  parameters?: { name: string; in: string; required?: boolean; schema: Schema; description?: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}
export type Document = {
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<
    string,
    { post: { requestBody: { content: { 'application/json': { schema: { $ref: string } } } } } }
  >
  components: { schemas: Record<string, Schema> }
}

export function readModel(document: Document): Model {
  const { schemas } = document.components
  const methods = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([http, operation]) => {
      const called = operation['x-client-method']
      return called === undefined ? [] : [methodOf(schemas, called, http.toUpperCase(), path, operation)]
    }),
  )
  const events = Object.values(document.webhooks ?? {}).map(({ post }) =>
    nameOf(post.requestBody.content['application/json'].schema.$ref),
  )
  const used = reach(schemas, [...methods.flatMap(shapesOf), ...events.map((name) => schemas[name] ?? {})])
  const shapes = Object.entries(schemas).filter(([name]) => used.has(name) || events.includes(name))
  return { methods, shapes, events }
}

function methodOf(
  schemas: Record<string, Schema>,
  called: string,
  http: string,
  path: string,
  operation: Operation,
): Method {
  const at = called.lastIndexOf('.')
  const parameters = operation.parameters ?? []
  const body = operation.requestBody?.content['application/json']?.schema
  const [status = '', response] = Object.entries(operation.responses)[0] ?? []
  const content = response?.content ?? {}
  const file = content[BYTES] ? ('bytes' as const) : ('text' as const)
  const answer = content['application/json']?.schema ?? (status === '204' ? undefined : file)
  const asked = parameters.filter((parameter) => parameter.in === 'query')
  const in_body = Object.keys(resolve(schemas, body ?? {}).properties ?? {})
  const query = asked.some(({ name }) => !in_body.includes(name)) ? queryShape(asked) : undefined
  const fields = query ?? (asked.length > 0 ? resolve(schemas, body ?? {}) : undefined)
  return {
    group: called.slice(0, at),
    name: called.slice(at + 1),
    http,
    path,
    summary: operation.summary,
    description: operation.description,
    path_params: parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
    query,
    body,
    body_shape: body && resolve(schemas, body),
    takes_file: operation.requestBody?.content[BYTES] !== undefined,
    answer,
    keyed: parameters.some(({ name }) => name === 'idempotency-key'),
    page: fields?.properties?.query_id && isRecord(answer) ? pageOf(schemas, answer) : undefined,
  }
}

/** The media type of files in the description: each has its own. */
const BYTES = 'application/octet-stream'

function queryShape(asked: NonNullable<Operation['parameters']>): Schema {
  const properties = asked.map(({ name, schema, description }): [string, Schema] => [
    name,
    { ...schema, ...(description === undefined ? {} : { description }) },
  ])
  const required = asked.filter((parameter) => parameter.required).map(({ name }) => name)
  return { type: 'object', properties: Object.fromEntries(properties), required }
}

/** The only list of a response, beside its `meta`. */
function pageOf(schemas: Record<string, Schema>, answer: Schema): Method['page'] {
  for (const [field, schema] of Object.entries(resolve(schemas, answer).properties ?? {})) {
    if (schema.type === 'array' && schema.items) return { field, entry: schema.items }
  }
  return undefined
}

function resolve(schemas: Record<string, Schema>, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (schemas[nameOf(schema.$ref)] ?? {})
}

export function nameOf(ref: string): string {
  return ref.split('/').at(-1) ?? ''
}

function shapesOf({ query, body, answer }: Method): Schema[] {
  return [query, body, answer].filter((shape) => isRecord(shape))
}

/** Every named shape that is reachable from these. */
function reach(schemas: Record<string, Schema>, from: readonly unknown[]): Set<string> {
  const found = new Set<string>()
  const look = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(look)
    if (!isRecord(value)) return
    const name = typeof value.$ref === 'string' ? nameOf(value.$ref) : undefined
    if (name !== undefined && !found.has(name)) {
      found.add(name)
      look(schemas[name])
    }
    Object.values(value).forEach(look)
  }
  from.forEach(look)
  return found
}

/**
 * Resources that can be listed completely: the method that iterates over all entries is called `each`, once per group.
 */
export function eachOf(methods: readonly Method[], group: string): Method | undefined {
  const paged = methods.filter((method) => method.group === group && method.page)
  return paged.find(({ body }) => body) ?? paged[0] // An operation with filters in its body replaces the other.
}

/** The direct subgroups of a group, `''` for the top: `contacts` has `contacts.rows`. */
export function groupsBelow(methods: readonly Method[], group: string): string[] {
  const depth = group === '' ? 1 : group.split('.').length + 1
  const below = methods.map((method) => method.group).filter((name) => group === '' || name.startsWith(`${group}.`))
  return [...new Set(below.map((name) => name.split('.').slice(0, depth).join('.')))]
}
