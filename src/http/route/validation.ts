import { isRecord } from '../../values/record.ts'
import { type Fault, type FaultType, MAX_FAULTS, refuseIfFaulty } from '../../values/refusal.ts'
import type { FastifyRequest } from 'fastify'

/**
 * The validation errors of a request. A body that is not an object, or one with more errors than are returned, is
 * rejected immediately.
 */
export function faultsOf(request: FastifyRequest): Fault[] {
  const found = request.validationError
  if (!found) return []
  const faults = shapeFaults([...found.validation, ...laterFaults(request, found.validationContext)])
  if (faults.length > MAX_FAULTS || faults.some(({ field }) => field === 'body')) refuseIfFaulty(faults)
  return faults
}

/** Fastify stops at the first invalid part of a request; this validates the others, so that all errors are returned. */
function laterFaults(request: FastifyRequest, first: string): SchemaFault[] {
  return PARTS.slice(PARTS.findIndex(([part]) => part === first) + 1).flatMap(([part, valueOf]) => {
    const judged: unknown = validatorOf(request, part)?.(valueOf(request))
    return isFaulty(judged) ? judged.error : []
  })
}

/** A body of several media types has a validator for each. */
function validatorOf(request: FastifyRequest, part: Part): ((value: unknown) => unknown) | undefined {
  const found: unknown = request.getValidationFunction(part)
  const [media_type = ''] = (request.headers['content-type'] ?? '').split(';')
  const validator = isRecord(found) ? found[media_type.trim().toLowerCase()] : found
  return isValidator(validator) ? validator : undefined
}

function isValidator(found: unknown): found is (value: unknown) => unknown {
  return typeof found === 'function'
}

/** The result of a validator of `validators.ts` that found errors. */
function isFaulty(judged: unknown): judged is { error: SchemaFault[] } {
  return isRecord(judged) && Array.isArray(judged.error)
}

type Part = 'params' | 'body' | 'querystring' | 'headers'
const PARTS: [Part, (request: FastifyRequest) => unknown][] = [
  ['params', ({ params }) => params],
  ['body', ({ body }) => body],
  ['querystring', ({ query }) => query],
  ['headers', ({ headers }) => headers],
]

/** A validation error of Ajv. */
export type SchemaFault = { keyword: string; instancePath: string; params: Record<string, unknown>; message?: string }

/**
 * Converts schema errors to the API's error items, under the field names the caller used. Errors inside a list that is
 * too long are omitted, and so are those above the limit.
 */
export function shapeFaults(found: readonly SchemaFault[]): Fault[] {
  const too_long = new Set(
    found.filter(({ keyword }) => keyword === 'maxItems').map(({ instancePath }) => instancePath),
  )
  const outside = too_long.size === 0 ? found : found.filter(({ instancePath }) => !liesIn(too_long, instancePath))
  const shown = outside.slice(0, MAX_FAULTS + 1) // one more than the limit signals that there are more
  return shown.map(({ keyword, instancePath, params, message }) => {
    const place = fieldName(instancePath)
    if (keyword === 'required') {
      const name = String(params.missingProperty)
      return { field: place ? `${place}.${name}` : name, message: 'This field is required.', type: 'missing' }
    }
    if (keyword === 'additionalProperties') {
      const name = String(params.additionalProperty)
      return { field: place ? `${place}.${name}` : name, message: 'There is no such field.', type: 'invalid' }
    }
    return {
      field: place || 'body',
      message: SENTENCES[keyword]?.(params) ?? sentence(message),
      type: faultType(keyword, params),
    }
  })
}

/** Whether the pointer lies inside one of these places. */
function liesIn(places: ReadonlySet<string>, pointer: string): boolean {
  for (let end = pointer.lastIndexOf('/'); end > 0; end = pointer.lastIndexOf('/', end - 1)) {
    if (places.has(pointer.slice(0, end))) return true
  }
  return false
}

/** `/personalisation/2/to` → `personalisation[2].to` */
function fieldName(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((name, part) => (/^\d+$/.test(part) && name ? `${name}[${part}]` : name ? `${name}.${part}` : part), '')
}

const MOST_NAMED = 20

/** Sentences for the most frequent errors. */
const SENTENCES: Record<string, (params: Record<string, unknown>) => string | undefined> = {
  minLength: ({ limit }) =>
    limit === 1 ? 'This must not be empty.' : `This needs at least ${inWords(limit)} characters.`,
  maxLength: ({ limit }) => `This is too long: at most ${inWords(limit)} characters.`,
  minimum: ({ limit }) => `This must be at least ${inWords(limit)}.`,
  maximum: ({ limit }) => `This must be at most ${inWords(limit)}.`,
  minItems: ({ limit }) => (limit === 1 ? 'At least one is needed.' : `At least ${inWords(limit)} are needed.`),
  maxItems: ({ limit }) => `These are too many: at most ${inWords(limit)}.`,
  minProperties: ({ limit }) => `This needs at least ${fieldCount(limit)}.`,
  maxProperties: ({ limit }) => `This takes at most ${fieldCount(limit)}.`,
  pattern: () => 'This is not written as it should be.',
  enum: ({ allowedValues }) =>
    Array.isArray(allowedValues) && allowedValues.length <= MOST_NAMED
      ? `This must be one of: ${allowedValues.map(String).join(', ')}.`
      : undefined,
}

function fieldCount(limit: unknown): string {
  return limit === 1 ? 'one field' : `${inWords(limit)} fields`
}

function inWords(limit: unknown): string {
  return typeof limit === 'number' ? limit.toLocaleString('en') : String(limit)
}

function sentence(message = 'is invalid'): string {
  return `This value ${message.replace(/^must NOT/, 'must not').replace(/,/g, ' or ')}.`
}

const BY_KEYWORD: Record<string, FaultType> = {
  minLength: 'string_too_short',
  maxLength: 'string_too_long',
  minimum: 'greater_than_equal',
  maximum: 'less_than_equal',
  maxItems: 'less_than_equal',
  minItems: 'greater_than_equal',
  enum: 'enum',
  const: 'enum',
}

const BY_TYPE: Record<string, FaultType> = {
  string: 'string_type',
  number: 'number_type',
  integer: 'number_type',
  boolean: 'boolean_type',
  array: 'list_type',
  object: 'dict_type',
}

function faultType(keyword: string, params: Record<string, unknown>): FaultType {
  if (keyword !== 'type') return BY_KEYWORD[keyword] ?? 'invalid'
  const [type] = Array.isArray(params.type) ? params.type : [params.type]
  return BY_TYPE[String(type)] ?? 'invalid'
}
