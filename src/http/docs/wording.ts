import type { Resolve, Schema } from './document.ts'
import { recordOf } from './example.ts'

const MAX_DEPTH = 4

/** The type of a value in words: `string`, `array of object`, `string or null`. */
export function typeWords(resolve: Resolve, shape: Schema, depth = 0): string {
  const schema = resolve<Schema>(shape)
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  if (variants.length > 0) {
    return depth < MAX_DEPTH
      ? [...new Set(variants.map((variant) => typeWords(resolve, variant, depth + 1)))].join(' or ')
      : 'any'
  }
  const given = [schema.type ?? guessedType(schema)].flat()
  const words = given.map((type) => {
    if (type === 'array' && schema.items && depth < MAX_DEPTH) {
      return `array of ${typeWords(resolve, schema.items, depth + 1)}`
    }
    const values = type === 'object' && !schema.properties ? recordOf(schema) : undefined
    return values && depth < MAX_DEPTH ? `map of ${typeWords(resolve, values, depth + 1)}` : type
  })
  return words.join(' or ') + (schema.format === undefined ? '' : ` (${schema.format})`)
}

function guessedType(schema: Schema): string {
  if (schema.properties || schema.allOf || schema.additionalProperties || schema.patternProperties) return 'object'
  if (schema.items) return 'array'
  const value = schema.const ?? schema.enum?.[0]
  return value === undefined ? 'any' : typeof value
}

/** The allowed values of a field, if they are few: an `enum`, a constant, or a union of such. */
export function allowedValues(resolve: Resolve, shape: Schema): unknown[] | undefined {
  const schema = resolve<Schema>(shape)
  if (schema.enum) return schema.enum
  if (schema.const !== undefined) return [schema.const]
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter(({ type }) => type !== 'null')
  const values = variants.map((variant) => allowedValues(resolve, variant))
  return values.length > 0 && values.every((part) => part !== undefined) ? values.flat() : undefined
}

/** The bounds of a value, each in a few words. */
export function bounds(schema: Schema): string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  return [
    range(minimum, maximum, ''),
    exclusiveMinimum === undefined ? '' : `more than ${figure(exclusiveMinimum)}`,
    exclusiveMaximum === undefined ? '' : `less than ${figure(exclusiveMaximum)}`,
    schema.multipleOf === undefined ? '' : `in steps of ${figure(schema.multipleOf)}`,
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' items'),
  ].filter(Boolean)
}

function range(low: number | undefined, high: number | undefined, unit: string): string {
  if (low !== undefined && high !== undefined) {
    return low === high ? `exactly ${figure(low)}${unit}` : `${figure(low)} to ${figure(high)}${unit}`
  }
  if (low !== undefined) return `at least ${figure(low)}${unit}`
  return high === undefined ? '' : `at most ${figure(high)}${unit}`
}

function figure(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 6 })
}
