import * as fc from 'fast-check'

export type JsonSchema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  examples?: unknown[]
}

/** Values for a field by its name, where the schema alone is not sufficient. */
export type Known = Record<string, fc.Arbitrary<unknown>>

const LONGEST_LIST = 5

/** Values that match the schema; mostly its examples, because those pass validation. */
export function fitting(schema: JsonSchema, known: Known, name = ''): fc.Arbitrary<unknown> {
  const made = make(schema, known)
  const examples = schema.examples ?? []
  const options: fc.WeightedArbitrary<unknown>[] = [{ weight: 2, arbitrary: made }]
  if (examples.length > 0) options.push({ weight: 5, arbitrary: fc.constantFrom(...examples) })
  if (known[name]) options.push({ weight: 12, arbitrary: known[name] })
  return options.length === 1 ? made : fc.oneof(...options)
}

/** The same with one invalid value. */
export function breaking(schema: JsonSchema, known: Known, name = ''): fc.Arbitrary<unknown> {
  const options: fc.Arbitrary<unknown>[] = [nonsense, ...edges(schema)]
  if (schema.properties) options.push(...brokenObjects(schema, schema.properties, known))
  if (schema.items) {
    options.push(fc.array(breaking(schema.items, known, name), { minLength: 1, maxLength: LONGEST_LIST }))
  }
  const { additionalProperties } = schema
  if (typeof additionalProperties === 'object') {
    const key = fc.oneof(fc.string({ unit: 'binary', maxLength: 8 }), fc.constantFrom('\u0000', '\ud800', '__proto__'))
    options.push(fc.dictionary(key, breaking(additionalProperties, known), { minKeys: 1, maxKeys: 3 }))
  }
  return fc.oneof(...options)
}

/** Unusual and malicious values. */
export const nonsense: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    Number.MAX_SAFE_INTEGER + 2,
    '',
    ' ',
    [],
    {},
    [[[[[]]]]],
    { a: { b: { c: null } } },
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\u202e\u200b\ufeff',
    "'; drop table messages; --",
    '%s%n{{name}}${x}',
    '../../etc/passwd',
    'NaN',
    '-0',
    '99999999999999999999999999',
    '2026-13-45',
    '2026-02-30T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-23:59',
    'See https://example.com/a\u0000b',
    'ZZ',
    'x'.repeat(5_000),
    '😀'.repeat(400),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double(),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constant(JSON.parse('{"__proto__": {"x": 1}, "constructor": 1, "toString": 2}') as unknown),
)

function make(schema: JsonSchema, known: Known): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => fitting(one, known)))
  const types = Array.isArray(schema.type) ? schema.type : schema.type === undefined ? [] : [schema.type]
  if (types.length === 0) return fc.jsonValue({ maxDepth: 2 })
  return fc.oneof(...types.map((type) => ofType(type, schema, known)))
}

function ofType(type: string, schema: JsonSchema, known: Known): fc.Arbitrary<unknown> {
  const { minimum = -1_000_000, maximum = 1_000_000, minItems = 0, maxItems = LONGEST_LIST } = schema
  switch (type) {
    case 'string':
      return fc.string({ unit: 'grapheme', minLength: schema.minLength ?? 0, maxLength: schema.maxLength ?? 30 })
    case 'integer':
      return fc.integer({ min: minimum, max: maximum })
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(fitting(schema.items ?? {}, known), {
        minLength: minItems,
        maxLength: Math.max(minItems, Math.min(maxItems, LONGEST_LIST)),
      })
    default:
      return objects(schema, known)
  }
}

function objects(schema: JsonSchema, known: Known): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema
  const fields = Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, fitting(of, known, name)]))
  const given = fc.record(fields, { requiredKeys: required })
  if (typeof additionalProperties !== 'object') return given
  const more = fc.dictionary(fc.string({ maxLength: 8 }), fitting(additionalProperties, known), { maxKeys: 3 })
  return fc.tuple(more, given).map(([one, other]) => ({ ...one, ...other }))
}

/** One field invalid, one missing, or one too many. */
function brokenObjects(
  schema: JsonSchema,
  properties: Record<string, JsonSchema>,
  known: Known,
): fc.Arbitrary<unknown>[] {
  const whole = objects(schema, known) as fc.Arbitrary<Record<string, unknown>>
  const wrong = Object.entries(properties).map(([name, of]) =>
    fc.tuple(whole, breaking(of, known, name)).map(([object, value]) => ({ ...object, [name]: value })),
  )
  const missing = (schema.required ?? []).map((name) =>
    whole.map((object) => Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))),
  )
  const more = fc.tuple(whole, fc.string(), nonsense).map(([object, name, value]) => ({ ...object, [name]: value }))
  return [...wrong, ...missing, more]
}

/** Just inside and just outside of every limit. */
function edges({ minimum, maximum, minLength, maxLength, enum: words }: JsonSchema): fc.Arbitrary<unknown>[] {
  const values: unknown[] = []
  if (minimum !== undefined) values.push(minimum, minimum - 1, minimum - 0.5)
  if (maximum !== undefined) values.push(maximum, maximum + 1, maximum + 0.5)
  if (minLength !== undefined) values.push('x'.repeat(Math.max(0, minLength - 1)))
  if (maxLength !== undefined) values.push('x'.repeat(maxLength), 'x'.repeat(maxLength + 1))
  if (words) values.push(...words.map((word) => `${String(word)} `))
  return values.length > 0 ? [fc.constantFrom(...values)] : []
}
