import { expect, test } from 'vitest'
import { makeUnboundConnections, type UnboundConnections } from './unbound-connections.ts'

const LIMITS = { unbound: 10, unbound_per_address: 4, unbound_reserved: 2 }

/** Enters connections by name, and records which were evicted. */
function visitors(unbound: UnboundConnections) {
  const evicted: string[] = []
  const enter = (address: string, name = address) => unbound.enter(address, () => evicted.push(name))
  return { evicted, enter }
}

test('the next connection of an address evicts its oldest, unless that is binding', () => {
  const { enter, evicted } = visitors(makeUnboundConnections(LIMITS))
  const slots = ['1', '2', '3', '4'].map((name) => enter('a', name))
  slots[0]?.setBinding(true)
  expect(enter('a', '5')).toBeDefined()
  expect(evicted).toEqual(['2'])
  for (const n of [2, 3]) slots[n]?.setBinding(true)
  expect(enter('a', '6')).toBeDefined()
  expect(evicted).toEqual(['2', '5'])
})

test('while all connections are binding, another is refused', () => {
  const { enter, evicted } = visitors(makeUnboundConnections(LIMITS))
  for (let n = 0; n < 4; n += 1) enter('a')?.setBinding(true)
  expect(enter('a')).toBeUndefined()
  expect(evicted).toEqual([])
  expect(enter('b')).toBeDefined()
})

test('unknown addresses never take the slots reserved for addresses that have bound lately', () => {
  let now = 0
  const { enter, evicted } = visitors(makeUnboundConnections(LIMITS, () => now))
  enter('known')?.bound()
  for (let n = 0; n < 8; n += 1) enter(`unknown ${n}`)?.setBinding(true)
  expect(enter('unknown 8')).toBeUndefined()
  expect([enter('known', 'first'), enter('known', 'second')].every(Boolean)).toBe(true)
  expect(evicted).toEqual([])
  expect(enter('unknown 9')).toBeUndefined()
  now += 25 * 60 * 60_000
  expect(enter('known')).toBeUndefined() // unknown again
})

test('an IPv6 /64 counts as one address', () => {
  const { enter, evicted } = visitors(makeUnboundConnections(LIMITS))
  for (let n = 1; n <= 5; n += 1) enter(`2001:db8:1:2::${n}`)
  expect(evicted).toEqual(['2001:db8:1:2::1'])
  enter('2001:db8:1:3::1')
  expect(evicted).toHaveLength(1)
})

test('a slot is free once its connection has closed', () => {
  const { enter, evicted } = visitors(makeUnboundConnections(LIMITS))
  const slots = Array.from({ length: 4 }, () => enter('a'))
  slots[1]?.leave()
  expect(enter('a')).toBeDefined()
  expect(evicted).toEqual([])
})
