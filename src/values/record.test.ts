import { expect, test } from 'vitest'
import { pickPresent } from './record.ts'

test('picks the named fields of a row, in their order, and omits those without a value', () => {
  const row: { id: string; note: string | null; at?: string; count: number; secret: string } = {
    id: 'a',
    note: null,
    count: 0,
    secret: 's',
  }
  const picked: { id: string; note?: string; at?: string; count: number } = pickPresent(
    row,
    'count',
    'id',
    'note',
    'at',
  )
  expect(Object.entries(picked)).toEqual([
    ['count', 0],
    ['id', 'a'],
  ])
})
