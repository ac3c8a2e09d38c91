import { expect, test } from 'vitest'
import { makeUnbound, type Unbound } from './unbound.ts'

const LIMITS = { unbound: 10, unbound_per_address: 4, unbound_reserved: 2 }

/** Says whether it was let in, and who was closed for it. */
function visitors(unbound: Unbound) {
  const evicted: string[] = []
  const enter = (address: string, name = address) => unbound.enter(address, () => evicted.push(name))
  return { evicted, enter }
}

test('the oldest connection of an address makes place for the next, unless it is binding', () => {
  const { enter, evicted } = visitors(makeUnbound(LIMITS))
  const places = ['1', '2', '3', '4'].map((name) => enter('a', name))
  places[0]?.setBinding(true)
  expect(enter('a', '5')).toBeDefined()
  expect(evicted).toEqual(['2'])
  for (const n of [2, 3]) places[n]?.setBinding(true)
  expect(enter('a', '6')).toBeDefined()
  expect(evicted).toEqual(['2', '5'])
})

test('where all are binding there is no place', () => {
  const { enter, evicted } = visitors(makeUnbound(LIMITS))
  for (let n = 0; n < 4; n += 1) enter('a')?.setBinding(true)
  expect(enter('a')).toBeUndefined()
  expect(evicted).toEqual([])
  expect(enter('b')).toBeDefined()
})

test('strangers leave places for addresses that have bound lately, and never take theirs', () => {
  let now = 0
  const { enter, evicted } = visitors(makeUnbound(LIMITS, () => now))
  enter('known')?.bound()
  for (let n = 0; n < 8; n += 1) enter(`stranger ${n}`)?.setBinding(true)
  expect(enter('stranger 8')).toBeUndefined()
  expect([enter('known', 'first'), enter('known', 'second')].every(Boolean)).toBe(true)
  expect(evicted).toEqual([])
  expect(enter('stranger 9')).toBeUndefined()
  now += 25 * 60 * 60_000
  expect(enter('known')).toBeUndefined() // a stranger again
})

test('an IPv6 network is one address, however many it has', () => {
  const { enter, evicted } = visitors(makeUnbound(LIMITS))
  for (let n = 1; n <= 5; n += 1) enter(`2001:db8:1:2::${n}`)
  expect(evicted).toEqual(['2001:db8:1:2::1'])
  enter('2001:db8:1:3::1')
  expect(evicted).toHaveLength(1)
})

test('a place is free once its connection has gone', () => {
  const { enter, evicted } = visitors(makeUnbound(LIMITS))
  const places = Array.from({ length: 4 }, () => enter('a'))
  places[1]?.leave()
  expect(enter('a')).toBeDefined()
  expect(evicted).toEqual([])
})
