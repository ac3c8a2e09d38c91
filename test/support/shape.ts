import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'

/** What a value breaks of its shape, a line each. A field the shape does not name breaks it, too. */
export function misfits(shape: TSchema, value: unknown): string[] {
  const schema = closed(JSON.parse(JSON.stringify(shape))) as TSchema
  return Value.Errors(schema, value).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  return schema && 'properties' in schema && 'type' in schema ? { ...inner, additionalProperties: false } : inner
}

/**
 * Fields of a shape that none of the values has, by their place: a shape that promises what never comes is wrong, too.
 * A list without entries has nothing of what is in it.
 */
export function unseen(shape: TSchema, values: readonly unknown[]): string[] {
  return missing(JSON.parse(JSON.stringify(shape)) as Schema, values, '')
}

type Schema = { properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] }

function missing({ properties, items, anyOf }: Schema, values: readonly unknown[], place: string): string[] {
  if (values.length === 0) return [place]
  if (anyOf)
    return anyOf.flatMap((one) =>
      missing(
        one,
        values.filter((value) => fits(one, value)),
        place,
      ),
    )
  if (items) return missing(items, values.flat(), `${place}/0`)
  return Object.entries(properties ?? {}).flatMap(([name, schema]) => {
    const given = values.map((value) => (value as Record<string, unknown>)[name]).filter((value) => value !== undefined)
    return missing(schema, given, `${place}/${name}`)
  })
}

function fits(schema: Schema, value: unknown): boolean {
  return Value.Check(closed(schema) as TSchema, value)
}
