import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { isRecord } from '../record.ts'
import type { Schema, Static } from './type.ts'

/**
 * Reports all faults, not only the first, and ignores keywords of our own. Without the optimiser of Ajv a validator compiles
 * twice as fast, which every command waits for, and is not slower.
 */
const OPTIONS = { allErrors: true, strict: false, validateFormats: false, code: { optimize: false } }

/** Takes no number that JSON reads as infinite, such as 1e400. */
const ajv = new Ajv({ ...OPTIONS, strictNumbers: true })
/** Parses numbers and booleans from text; an infinite number exceeds the maximum that each declares. */
const coercing = new Ajv({ ...OPTIONS, coerceTypes: true })

/** Compiled once per process and schema. `coerce`: values are text, as in a query. */
export function validatorOf<T>(schema: object, { coerce = false } = {}): ValidateFunction<T> {
  return (coerce ? coercing : ajv).compile<T>(schema)
}

/** Everything that keeps a value from fitting. */
export function errorsOf(schema: Schema, value: unknown): ErrorObject[] {
  const validate = validatorOf(schema)
  return validate(value) ? [] : (validate.errors ?? [])
}

export function fits<S extends Schema>(schema: S, value: unknown): value is Static<S> {
  return errorsOf(schema, value).length === 0
}

/** One line per error with its path after `root`; missing properties of one object share a line. */
export function formatErrors(errors: readonly ErrorObject[], root = ''): string[] {
  const lines = errors.map(({ instancePath, keyword, params, message }) => {
    const place = (root + instancePath).slice(1).replaceAll('/', '.') || 'file'
    const allowed = allowedValues(errors, instancePath)
    if (allowed.length > 0) return `${place}: must be ${allowed.length > 1 ? 'one of ' : ''}${allowed.join(', ')}`
    if (keyword === 'additionalProperties') return `${place}: unknown key ${params.additionalProperty}`
    if (keyword !== 'required') return `${place}: ${message}`
    const missing = errors.filter((other) => other.keyword === keyword && other.instancePath === instancePath)
    const names = missing.map((other) => other.params.missingProperty)
    return `${place}: must have required properties ${names.join(', ')}`
  })
  return [...new Set(lines)]
}

/** The values that a place may have, if it has to be one of them. */
function allowedValues(errors: readonly ErrorObject[], place: string): string[] {
  const here = errors.filter(({ instancePath }) => instancePath === place)
  if (!here.every(({ keyword }) => VALUE_KEYWORDS.has(keyword))) return []
  return here.flatMap(({ keyword, params }): string[] => {
    if (keyword === 'const') return [String(params.allowedValue)]
    return keyword === 'enum' && Array.isArray(params.allowedValues) ? params.allowedValues.map(String) : []
  })
}

const VALUE_KEYWORDS: ReadonlySet<string> = new Set(['const', 'enum', 'anyOf'])

type Keywords = Schema & {
  default?: unknown
  properties?: Readonly<Record<string, Schema>>
  patternProperties?: Readonly<Record<string, Schema>>
  items?: Schema
  anyOf?: readonly Schema[]
}

/** The value with every `default` filled in that it leaves out; of a choice, those of the first that it then fits. */
export function withDefaults(schema: Schema, given: unknown): unknown {
  const { default: fallback, properties = {}, patternProperties = {}, items, anyOf }: Keywords = schema
  const value = given === undefined ? structuredClone(fallback) : given
  if (anyOf) {
    const choices = anyOf.map((choice) => ({ choice, filled: withDefaults(choice, value) }))
    return choices.find(({ choice, filled }) => fits(choice, filled))?.filled ?? value
  }
  if (items && Array.isArray(value)) return value.map((item) => withDefaults(items, item))
  if (!isRecord(value)) return value
  const [anything] = Object.values(patternProperties)
  const filled = Object.entries(value).map(([name, own]) => {
    const of = Object.hasOwn(properties, name) ? properties[name] : anything
    return [name, of ? withDefaults(of, own) : own]
  })
  const absent = Object.entries(properties)
    .filter(([name]) => !Object.hasOwn(value, name))
    .map(([name, of]) => [name, withDefaults(of, undefined)])
    .filter(([, own]) => own !== undefined)
  return Object.fromEntries([...filled, ...absent])
}
