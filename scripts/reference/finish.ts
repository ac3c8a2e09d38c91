import { describeEvents } from '../../src/http/docs/events.ts'
import { ErrorAnswer } from '../../src/http/schema.ts'
import { isRecord } from '../../src/values/record.ts'
import { answerHeaders, HEADERS } from './headers.ts'
import { textOf, type Named } from './names.ts'
import { said } from './said.ts'

export type Document = {
  info: Record<string, unknown>
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
  webhooks?: Record<string, unknown>
}
type Media = Record<string, { schema?: unknown; example?: unknown }>
type Response = { description?: string; content?: Media; headers?: object }
type Operation = {
  operationId?: string
  security?: unknown
  requestBody?: { required?: boolean; content?: Media }
  responses: Record<string, Response | { $ref: string }>
}

/**
 * Turns the output of Fastify's plugin into a description for client generators: named shapes, events, headers, and
 * every error once. Fails if an operation has no unique name.
 */
export function finish(document: Document, names: Map<string, Named>): Document {
  requireOperationIds(document)
  const shapes = namer(names)
  const responses: Record<string, unknown> = {}
  for (const operation of operationsOf(document)) {
    operation.security ??= []
    const { operationId = '', requestBody } = operation
    if (requestBody?.content) nameBody(shapes, requestBody.content, `${capital(operationId)}Body`)
    for (const [status, response] of Object.entries(operation.responses)) {
      if ('$ref' in response) continue
      operation.responses[status] =
        Number(status) >= 400 && response.content?.['application/json']
          ? sharedError(responses, status, response)
          : success(shapes, operation, Number(status), response)
    }
  }
  const { webhooks, schemas } = describeEvents()
  for (const [name, schema] of Object.entries(schemas)) shapes.add(name, said(schema))
  shapes.add('ErrorAnswer', said(ErrorAnswer))
  const { securitySchemes = {} } = document.components
  const components = { securitySchemes, schemas: shapes.all(), responses, headers: HEADERS }
  return JSON.parse(JSON.stringify({ ...document, webhooks, components }))
}

function operationsOf({ paths }: Document): Operation[] {
  return Object.values(paths).flatMap((path) => Object.values(path))
}

function requireOperationIds(document: Document): void {
  const ids = operationsOf(document).map(({ operationId }) => operationId)
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index)
  if (twice.length > 0) throw new Error(`operations without a unique name: ${twice.join(', ')}`)
}

function success(shapes: Shapes, operation: Operation, status: number, response: Response): Response {
  if (response.content) nameMedia(shapes, response.content, `${capital(operation.operationId ?? '')}Answer`)
  const description = response.description === 'Default Response' ? 'Done.' : response.description
  return { ...response, description: description ?? 'Done.', headers: answerHeaders(status, isCharged(operation)) }
}

function isCharged(operation: object): boolean {
  return JSON.stringify(operation).includes('"idempotency-key"')
}

/** Errors have the same shape everywhere, so each status is described once and referenced. */
function sharedError(responses: Record<string, unknown>, status: string, response: Response): { $ref: string } {
  const name = `error_${status}`
  const example = response.content?.['application/json']?.example
  responses[name] ??= {
    description: response.description,
    headers: answerHeaders(Number(status), false),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorAnswer' }, example } },
  }
  return { $ref: `#/components/responses/${name}` }
}

/**
 * Named after the first operation that accepts it: modules have short names for bodies, which are ambiguous outside.
 */
function nameBody(shapes: Shapes, content: Media, own_name: string): void {
  for (const media of Object.values(content)) {
    if (isRecord(media.schema) && isRecord(media.schema.properties))
      media.schema = shapes.addOnce(own_name, media.schema)
  }
}

function nameMedia(shapes: Shapes, content: Media, own_name: string): void {
  for (const media of Object.values(content)) {
    const schema = shapes.name(media.schema)
    media.schema = isRecord(schema) && isRecord(schema.properties) ? shapes.add(own_name, media.schema) : schema
  }
}

type Shapes = ReturnType<typeof namer>

function namer(names: Map<string, Named>) {
  const used: Record<string, unknown> = {}
  /** The shape with references in it; the whole shape is a reference if a module exports it by name. */
  function name(value: unknown): unknown {
    const known = isRecord(value) && isRecord(value.properties) ? names.get(textOf(value)) : undefined
    return known ? add(known.name, value) : inside(value)
  }
  function inside(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(name)
    if (!isRecord(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, key.startsWith('example') ? part : name(part)]),
    )
  }
  function add(own_name: string, value: unknown): { $ref: string } {
    used[own_name] ??= inside(value)
    return { $ref: `#/components/schemas/${own_name}` }
  }
  const bodies = new Map<string, string>()
  function addOnce(own_name: string, value: unknown): { $ref: string } {
    const text = textOf(value)
    bodies.set(text, bodies.get(text) ?? own_name)
    return add(bodies.get(text) ?? own_name, value)
  }
  const all = () => Object.fromEntries(Object.entries(used).sort(([a], [b]) => (a < b ? -1 : 1)))
  return { name, add, addOnce, all }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
