import { describe, expect, expectTypeOf, test } from 'vitest'
import { errorsOf, fits, formatErrors, withDefaults } from './check.ts'
import { Type, type Static } from './type.ts'

const Line = Type.Object({ kind: Type.Literal('line'), port: Type.Integer({ default: 2775, maximum: 65_535 }) })
const Hook = Type.Object({ kind: Type.Literal('hook'), url: Type.String() }, { additionalProperties: false })
const Settings = Type.Object({
  name: Type.String({ minLength: 1 }),
  rate: Type.Optional(Type.Number()),
  carriers: Type.Array(Type.Union([Line, Hook]), { default: [{ kind: 'line' }] }),
  words: Type.Optional(
    Type.Record(Type.String({ pattern: '^[a-z]+$' }), Type.Object({ n: Type.Integer({ default: 1 }) })),
  ),
})

describe('a schema', () => {
  test('is JSON Schema, and what may be left out is not required', () => {
    expect(JSON.parse(JSON.stringify(Type.Object({ a: Type.Optional(Type.Null()), b: Type.Boolean() })))).toEqual({
      type: 'object',
      required: ['b'],
      properties: { a: { type: 'null' }, b: { type: 'boolean' } },
    })
    expect(Type.Optional(Line)).toEqual(Line)
    expect(Type.Object({ Line })).toMatchObject({ required: ['Line'] }) // made optional elsewhere, not here
  })

  test('without some fields, or with none that must be there', () => {
    const two = Type.Object({ a: Type.Optional(Type.String()), b: Type.String(), c: Type.String() })
    expect(Type.Omit(two, ['c'])).toEqual(Type.Object({ a: Type.Optional(Type.String()), b: Type.String() }))
    expect(Type.Partial(two)).not.toHaveProperty('required')
  })

  test('knows the type of what fits it', () => {
    expectTypeOf<Static<typeof Settings>>().toEqualTypeOf<{
      name: string
      rate?: number
      carriers: ({ kind: 'line'; port: number } | { kind: 'hook'; url: string })[]
      words?: Record<string, { n: number }>
    }>()
    const value: unknown = { kind: 'hook', url: 'https://shop.example' }
    expect(fits(Hook, value) && value.url).toBe('https://shop.example')
  })
})

describe('defaults', () => {
  test('are filled in where something is left out, at every depth, and what was given stays as it was', () => {
    const given = { name: 'x', words: { a: {} }, more: { kept: true } }
    expect(withDefaults(Settings, given)).toEqual({
      name: 'x',
      words: { a: { n: 1 } },
      more: { kept: true },
      carriers: [{ kind: 'line', port: 2775 }],
    })
    expect(given).toEqual({ name: 'x', words: { a: {} }, more: { kept: true } })
  })

  test('of a choice are those of what the value is, and of none if it is nothing', () => {
    const carriers = [{ kind: 'hook', url: 'u' }, { kind: 'line', port: 1 }, { kind: 'line' }, { kind: 'ship' }, 7]
    expect(withDefaults(Settings, { carriers })).toEqual({
      carriers: [
        { kind: 'hook', url: 'u' },
        { kind: 'line', port: 1 },
        { kind: 'line', port: 2775 },
        { kind: 'ship' },
        7,
      ],
    })
    expect(withDefaults(Settings, null)).toBe(null)
  })

  test('do not mistake a name of a value for one of JavaScript', () => {
    const given: unknown = JSON.parse('{"name":"x","__proto__":{"rate":1},"constructor":1}')
    const filled = withDefaults(Settings, given)
    expect(Object.keys(filled ?? {})).toEqual(['name', '__proto__', 'constructor', 'carriers'])
    expect(filled).not.toHaveProperty('rate')
  })
})

test('faults are lines with their place, and what is missing in one place is one of them', () => {
  const wrong = { carriers: [], rate: 'much' }
  expect(formatErrors(errorsOf(Settings, wrong))).toEqual([
    'file: must have required properties name',
    'rate: must be number',
  ])
  expect(formatErrors(errorsOf(Hook, { port: 1, colour: 2 }), '/carriers/0')).toEqual([
    'carriers.0: must have required properties kind, url',
    'carriers.0: unknown key port',
    'carriers.0: unknown key colour',
  ])
  expect(errorsOf(Settings, { name: 'x', carriers: [] })).toEqual([])
})
