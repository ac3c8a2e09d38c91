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

test('an IPv6 network is one place, however many addresses it has', () => {
  const door = makeDoorkeeper({ unbound: 100, unbound_per_address: 2 })
  const at = (n: number) => `2001:db8:1:2::${n}`
  expect([door.enter(at(1)), door.enter(at(2)), door.enter(at(3))]).toEqual([true, true, false])
  expect(door.enter('2001:db8:1:3::1')).toBe(true)
  door.leave(at(2))
  expect(door.enter(at(4))).toBe(true)
  for (let n = 0; n < 10; n += 1) door.noteFailure(`2001:db8:1:4::${n}`)
  expect(door.enter('2001:db8:1:4:ffff::1')).toBe(false)
})
