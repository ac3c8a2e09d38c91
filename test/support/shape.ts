import { errorsOf, fits } from '../../src/values/schema/check.ts'
import type { Schema } from '../../src/values/schema/type.ts'

/** Violations of a shape in a value, a line each. A field that the shape does not declare is a violation. */
export function misfits(shape: Schema, value: unknown): string[] {
  return errorsOf(closed(shape), value).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

function closed(shape: Schema): Schema {
  return close(JSON.parse(JSON.stringify(shape))) as Schema
}

function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, close(value)]))
  return 'properties' in schema && 'type' in schema ? { ...inner, additionalProperties: false } : inner
}

type Keywords = Schema & { properties?: Record<string, Keywords>; items?: Keywords; anyOf?: Keywords[] }

/**
 * Declared fields of a shape that none of the values has, by path: a field that never occurs is an error, too. An empty
 * list has none of the fields of its items.
 */
export function unseen(shape: Schema, values: readonly unknown[], place = ''): string[] {
  const { properties, items, anyOf }: Keywords = shape
  if (values.length === 0) return [place]
  if (anyOf)
    return anyOf.flatMap((one) =>
      unseen(
        one,
        values.filter((value) => fits(closed(one), value)),
        place,
      ),
    )
  if (items) return unseen(items, values.flat(), `${place}/0`)
  return Object.entries(properties ?? {}).flatMap(([name, schema]) => {
    const given = values.map((value) => (value as Record<string, unknown>)[name]).filter((value) => value !== undefined)
    return unseen(schema, given, `${place}/${name}`)
  })
}
