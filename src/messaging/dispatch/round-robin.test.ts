import { expect, test } from 'vitest'
import { makeTurns } from './round-robin.ts'

test('nobody has a turn at first', () => {
  const turns = makeTurns()
  expect(turns.first).toBeUndefined()
  expect(turns.next(1)).toBeUndefined()
  expect(turns.has('one')).toBe(false)
})

test('the urgent come first, and those of a priority one after the other', () => {
  const turns = makeTurns()
  turns.add(2, 'bulk')
  for (const one of ['one', 'two', 'three', 'one']) turns.add(1, one)
  expect(turns.first).toBe(1)
  const served = [1, 2, 3, 4].map(() => turns.next(1))
  expect(served).toEqual(['one', 'two', 'three', 'one'].map((organisation_id) => ({ organisation_id, among: 3 })))
  expect(turns.next(2)).toEqual({ organisation_id: 'bulk', among: 1 })
})

test('who is not meant is passed by, and keeps their place', () => {
  const turns = makeTurns()
  for (const one of ['one', 'two', 'three']) turns.add(1, one)
  expect(turns.next(1, new Set(['one']))).toMatchObject({ organisation_id: 'two' })
  expect(turns.next(1)).toMatchObject({ organisation_id: 'one' })
  expect(turns.next(1, new Set(['one', 'two', 'three']))).toBeUndefined()
})

test('who has nothing left goes, unless something came meanwhile', () => {
  const turns = makeTurns()
  turns.add(1, 'one')
  turns.next(1)
  turns.add(1, 'one')
  turns.remove(1, 'one')
  expect(turns.first).toBe(1)
  turns.next(1)
  turns.remove(1, 'one')
  expect(turns.first).toBeUndefined()
  expect(turns.has('one')).toBe(false)
  turns.remove(7, 'nobody')
})

test('who was added before they had a turn is not removed by a look that began before', () => {
  const turns = makeTurns()
  turns.add(1, 'one')
  turns.remove(1, 'one')
  expect(turns.next(1)).toMatchObject({ organisation_id: 'one' })
})
