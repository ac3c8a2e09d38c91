import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { connect } from '../../src/db/connect.ts'
import { rows } from '../../src/db/rows.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

describe('rows', () => {
  test('equal the items, whatever their texts contain', async () => {
    const { db } = database
    const strange = fc.constantFrom('', 'NULL', '{}', '"', '\\', '\\"', "'", ',', '$1', ' x ', '\n', 'é€😀', '; drop')
    const text = fc.oneof(strange, fc.string({ unit: 'binary' })).map((one) => one.replaceAll('\0', ''))
    const item = fc.record({ id: fc.uuid(), note: fc.option(text), position: fc.option(fc.integer(INTEGER)) })
    await fc.assert(
      fc.asyncProperty(fc.array(item), async (items) => {
        const columns = { id: 'uuid', note: 'text', position: 'integer' } as const
        expect(await db`select id, note, position from ${rows(db, items, 'item', columns)}`).toEqual(items)
      }),
      { numRuns: 100 },
    )
  })

  test('of no items are none', async () => {
    const { db } = database
    const none: { id: string }[] = []
    expect(await db`select id from ${rows(db, none, 'item', { id: 'uuid' })}`).toEqual([])
  })

  test('have values of every type, and null for absent ones', async () => {
    const { db } = database
    const whole = {
      a: 'a1b2c3d4-0000-7000-8000-00000000000f',
      b: 'it\'s "x" \\ \\N €😀',
      c: -32_768,
      d: 2_147_483_647,
      e: 2n ** 62n + 1n,
      f: 1.5e-300,
      g: false,
      h: '2026-11-14T23:42:46.500001+00:00',
      i: { 'a"b': ['\\', null, { '€': "'" }] },
      j: Buffer.from('005c22ff', 'hex'),
    }
    type Nothing = { [Name in keyof typeof whole]: (typeof whole)[Name] | null | undefined }
    const empty: Nothing = {
      a: null,
      b: null,
      c: null,
      d: undefined,
      e: null,
      f: null,
      g: null,
      h: undefined,
      i: null,
      j: null,
    }
    const fragment = rows(db, [whole, empty], 'item', {
      a: 'uuid',
      b: 'text',
      c: 'smallint',
      d: 'integer',
      e: 'bigint',
      f: 'float8',
      g: 'boolean',
      h: 'timestamptz',
      i: 'jsonb',
      j: 'bytea',
    })
    const [first, second] = await db`select * from ${fragment}`
    expect(first).toEqual(whole)
    expect(second).toEqual(Object.fromEntries(Object.keys(whole).map((name) => [name, null])))
  })

  test('have any JSON, and digits beyond the precision of a number', async () => {
    const { db } = database
    const items = [{ json: [1, 'x'] }, { json: 'text' }, { json: 0 }, { json: false }]
    expect(await db`select json from ${rows(db, items, 'item', { json: 'jsonb' })}`).toEqual(items)
    const digits = [{ n: '9007199254740993' }, { n: '-9223372036854775808' }]
    expect(await db`select n from ${rows(db, digits, 'item', { n: 'bigint' })}`).toEqual([
      { n: 9007199254740993n },
      { n: -9223372036854775808n },
    ])
  })

  test('have computed columns', async () => {
    const { db } = database
    const items = [{ to: { name: 'a' } }, { to: undefined }]
    const fragment = rows(db, items, 'item', {
      name: ['text', ({ to }) => to?.name],
      has: ['boolean', ({ to }) => !!to],
    })
    expect(await db`select item.name, item.has from ${fragment}`).toEqual([
      { name: 'a', has: true },
      { name: null, has: false },
    ])
  })

  test('may be named by keywords of SQL', async () => {
    const { db } = database
    const items = [{ from: 'a', order: 1 }]
    expect(await db`select * from ${rows(db, items, 'select', { from: 'text', order: 'integer' })}`).toEqual(items)
  })

  test('are rejected with invalid names', async () => {
    const { db } = database
    for (const name of ['', 'a b', 'A', '1a', 'a"', 'a) as x (b', 'é', 'a;', 'a-b', 'a\n']) {
      expect(() => rows(db, [{ id: 'x' }], name, { id: 'text' })).toThrow('is no name')
      expect(() => rows(db, [{ id: 'x' }], 'item', { [name]: ['text', () => 'x'] })).toThrow('is no name')
    }
  })

  test('are rejected by the database if a value does not fit its column', async () => {
    const { db } = database
    const two = [{ id: `${'a'.repeat(32)},${'b'.repeat(32)}` }]
    const taken = db`select id from ${rows(db, two, 'item', { id: 'uuid' })}`.catch((fault: unknown) => fault)
    expect(await taken).toMatchObject({ code: '22P02' })
  })

  test('only have columns of their items, of a matching type', () => {
    const { db } = database
    const items = [{ id: 'x', sent: new Date(), many: [Buffer.from('x')] }]
    // @ts-expect-error: there is no such field
    expect(rows(db, items, 'item', { name: 'text' })).toBeDefined()
    // @ts-expect-error: a text is no number
    expect(rows(db, items, 'item', { id: 'integer' })).toBeDefined()
    // @ts-expect-error: times travel as text
    expect(rows(db, items, 'item', { sent: 'timestamptz' })).toBeDefined()
    // @ts-expect-error: arrays of arrays cannot be unnested
    expect(rows(db, items, 'item', { many: 'bytea[]' })).toBeDefined()
    // @ts-expect-error: what is worked out has a type, too
    expect(rows(db, items, 'item', { size: ['integer', ({ id }) => id] })).toBeDefined()
  })
})

test('a statement with rows stays prepared, with one text for all contents', async () => {
  const db = connect(database.address, { connections: 1 })
  const known = async () => {
    const statements = await db<{ statement: string }[]>`select statement from pg_prepared_statements`
    return statements.map(({ statement }) => statement).filter((statement) => statement.includes('marked'))
  }
  const columns = { id: 'text', n: 'integer' } as const
  const ask = (items: { id: string; n: number }[]) => db`
    select 'marked', ${'x'}::text, id, n, ${'y'}::text from ${rows(db, items, 'item', columns)} where n > ${0}::integer`
  await ask([])
  await ask([{ id: 'a', n: 1 }])
  await ask([
    { id: 'b', n: 2 },
    { id: 'c', n: 3 },
  ])
  expect(await known()).toHaveLength(1)
  await db`select 'marked beside a fragment that varies', id from ${rows(db, [], 'item', columns)} ${db`where true`}`
  await db`select 'marked before it' ${db`from (select 1) one,`} ${rows(db, [], 'item', columns)}`
  expect(await known()).toHaveLength(1)
  await db.end({ timeout: 1 })
})

const INTEGER = { min: -(2 ** 31), max: 2 ** 31 - 1 }
