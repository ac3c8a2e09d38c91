import type { Resolve, Schema } from './document.ts'

const MAX_DEPTH = 8
const SAMPLES: Record<string, unknown> = {
  uuid: '019a8475-2c1b-7c3e-9f50-3d2b8a6e4f17',
  'date-time': '2026-11-14T23:42:46.539766+00:00',
  date: '2026-11-14',
  uri: 'https://example.com',
  email: 'ada@example.com',
}

/**
 * An example value, made from the schema's own examples. Optional fields without an example are left out: examples are
 * copied, and many optional fields exclude each other.
 */
export function exampleOf(resolve: Resolve, shape: Schema, name = '', depth = 0): unknown {
  const schema = resolve<Schema>(shape)
  const own = ownExample(schema)
  if (own !== undefined) return own
  const first = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].find((variant) => variant.type !== 'null')
  if (first && depth < MAX_DEPTH) return exampleOf(resolve, first, name, depth + 1)
  const types = [schema.type ?? []].flat()
  if (schema.properties || schema.allOf || types[0] === 'object') {
    return depth < MAX_DEPTH ? exampleObject(resolve, schema, depth) : {}
  }
  if (types[0] === 'array') {
    return schema.items && depth < MAX_DEPTH ? [exampleOf(resolve, schema.items, name, depth + 1)] : []
  }
  if (types[0] === 'integer' || types[0] === 'number') return schema.minimum ?? 1
  if (types[0] === 'boolean') return false
  if (types[0] === 'null') return null
  return sampleText(schema, name)
}

/** The schema's example, default, or only or first value. */
export function ownExample(schema: Schema): unknown {
  return schema.example ?? schema.examples?.[0] ?? schema.const ?? schema.default ?? schema.enum?.[0]
}

function exampleObject(resolve: Resolve, schema: Schema, depth: number): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const part of schema.allOf ?? []) Object.assign(object, exampleOf(resolve, part, '', depth + 1))
  for (const [key, shape] of Object.entries(schema.properties ?? {})) {
    const { example, examples } = resolve<Schema>(shape)
    if (!schema.required?.includes(key) && example === undefined && examples?.[0] === undefined) continue
    object[key] = exampleOf(resolve, shape, key, depth + 1)
  }
  const values = recordOf(schema)
  if (values && Object.keys(object).length === 0) object['…'] = exampleOf(resolve, values, '', depth + 1)
  return object
}

/** The value schema of an object with arbitrary keys. */
export function recordOf({ additionalProperties, patternProperties }: Schema): Schema | undefined {
  if (typeof additionalProperties === 'object') return additionalProperties
  return Object.values(patternProperties ?? {})[0]
}

function sampleText({ format }: Schema, name: string): unknown {
  if (format !== undefined && format in SAMPLES) return SAMPLES[format]
  if (name === 'id' || name.endsWith('_id')) return SAMPLES.uuid
  return name.endsWith('_datetime') ? SAMPLES['date-time'] : '…'
}
