import { expect, test } from 'vitest'
import { makeDoorkeeper } from './doorkeeper.ts'

test('so many may wait, and of one address fewer', () => {
  const door = makeDoorkeeper({ unbound: 3, unbound_per_address: 2 })
  expect([door.enter('a'), door.enter('a'), door.enter('a')]).toEqual([true, true, false])
  expect([door.enter('b'), door.enter('c')]).toEqual([true, false])
  door.leave('a')
  expect(door.enter('c')).toBe(true)
  door.leave('nobody')
  expect(door.enter('d')).toBe(false)
})

test('who guesses is shut out for a minute, alone', () => {
  let now = 0
  const door = makeDoorkeeper({ unbound: 100, unbound_per_address: 100 }, () => now)
  for (let n = 0; n < 10; n += 1) door.noteFailure('a')
  expect([door.enter('a'), door.enter('b')]).toEqual([false, true])
  now += 60_001
  expect(door.enter('a')).toBe(true)
})
