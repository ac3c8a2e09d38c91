import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { arrayLiteral, sparse } from '../../src/db/array.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

describe('arrayLiteral', () => {
  test('comes back from PostgreSQL as it was', async () => {
    const strange = fc.constantFrom(
      '',
      'NULL',
      'null',
      '{}',
      '"',
      '\\',
      '\\"',
      ',',
      ' x ',
      '{"a":"b\\n"}',
      '\n',
      'é€😀',
    )
    const text = fc.oneof(strange, fc.string({ unit: 'binary' }), fc.string()).map((one) => one.replaceAll('\0', ''))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(text)), async (values) => {
        const [row] = await database.db<{ back: (string | null)[] }[]>`select ${values}::text[] as back`
        expect(row?.back).toEqual(values)
      }),
      { numRuns: 300 },
    )
  })

  test('writes numbers as they are', async () => {
    const [row] = await database.db<{ floats: number[]; bigs: string }[]>`
      select ${[1.5, -2, 1e300]}::float8[] as floats, ${[2n ** 62n, -1n]}::bigint[]::text as bigs`
    expect(row).toEqual({ floats: [1.5, -2, 1e300], bigs: '{4611686018427387904,-1}' })
  })

  test('leaves everything else to the driver', async () => {
    const bytes = [Buffer.from('00ff', 'hex')]
    expect(arrayLiteral(bytes)).toBe(bytes)
    const [row] = await database.db<{ back: Buffer[] }[]>`select ${bytes}::bytea[] as back`
    expect(row?.back).toEqual(bytes)
  })
})

test('a column without values is sent empty and read as null', async () => {
  expect(sparse([null, 'x'])).toEqual([null, 'x'])
  const rows = await database.db`
    select a, b from unnest(${['1', '2']}::text[], ${sparse([null, null])}::text[]) as given (a, b)`
  expect(rows).toEqual([
    { a: '1', b: null },
    { a: '2', b: null },
  ])
})
