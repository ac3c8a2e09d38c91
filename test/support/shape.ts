import { errorsOf, fits } from '../../src/values/schema/check.ts'
import type { Schema } from '../../src/values/schema/type.ts'

/** What a value breaks of its shape, a line each. A field the shape does not name breaks it, too. */
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
 * Fields of a shape that none of the values has, by their place: a shape that promises what never comes is wrong, too.
 * A list without entries has nothing of what is in it.
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
