import { expect, test } from 'vitest'
import { makeRoundRobin } from './round-robin.ts'

test('is empty at first', () => {
  const order = makeRoundRobin()
  expect(order.first).toBeUndefined()
  expect(order.next(1)).toBeUndefined()
})

test('the lowest priority number comes first, and its organisations one after the other', () => {
  const order = makeRoundRobin()
  order.add(2, 'bulk')
  for (const one of ['one', 'two', 'three', 'one']) order.add(1, one)
  expect(order.first).toBe(1)
  const served = [1, 2, 3, 4].map(() => order.next(1))
  expect(served).toEqual(['one', 'two', 'three', 'one'].map((organisation_id) => ({ organisation_id, among: 3 })))
  expect(order.next(2)).toEqual({ organisation_id: 'bulk', among: 1 })
})

test('an excluded organisation is skipped and keeps its position', () => {
  const order = makeRoundRobin()
  for (const one of ['one', 'two', 'three']) order.add(1, one)
  expect(order.next(1, new Set(['one']))).toMatchObject({ organisation_id: 'two' })
  expect(order.next(1)).toMatchObject({ organisation_id: 'one' })
  expect(order.next(1, new Set(['one', 'two', 'three']))).toBeUndefined()
})

test('an organisation without work is removed, unless it was added meanwhile', () => {
  const order = makeRoundRobin()
  order.add(1, 'one')
  order.next(1)
  order.add(1, 'one')
  order.remove(1, 'one')
  expect(order.first).toBe(1)
  order.next(1)
  order.remove(1, 'one')
  expect(order.first).toBeUndefined()
  order.remove(7, 'unknown')
})

test('an organisation that was added before it was served is not removed by an earlier poll', () => {
  const order = makeRoundRobin()
  order.add(1, 'one')
  order.remove(1, 'one')
  expect(order.next(1)).toMatchObject({ organisation_id: 'one' })
})
