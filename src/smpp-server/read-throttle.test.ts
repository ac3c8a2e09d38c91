import { Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeReadBudget, makeReadThrottle, type ReadBudget } from './read-throttle.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A connection with this many PDUs to read, read as fast as its throttle allows. */
function connection(account: ReadBudget, organisation: ReadBudget, pdus: number, octets = 16) {
  const seen = { read: 0 }
  let held = false
  const read = (): void => {
    while (!held && seen.read < pdus) {
      seen.read += 1
      throttle.count(octets)
    }
  }
  const wire = {
    hold: () => void (held = true),
    release() {
      held = false
      read()
    },
  }
  const throttle = makeReadThrottle(wire, new Socket())
  throttle.setBudgets(account, organisation)
  read()
  return { seen, throttle }
}

test('reads an account no faster than its rate allows', () => {
  const { seen } = connection(makeReadBudget(500), makeReadBudget(4_000), 1_000)
  expect(seen.read).toBe(200)
  vi.advanceTimersByTime(100)
  expect(seen.read).toBe(400)
  vi.advanceTimersByTime(1_000)
  expect(seen.read).toBe(1_000)
})

test('the accounts of an organisation share its budget in round robin', () => {
  const organisation = makeReadBudget(1_000)
  const all = Array.from({ length: 6 }, () => connection(makeReadBudget(500), organisation, 10_000))
  expect(all.map(({ seen }) => seen.read)).toEqual([200, 200, 1, 1, 1, 1])
  vi.advanceTimersByTime(1_000)
  const reads = all.map(({ seen }) => seen.read)
  // Each connection reads one PDU before it is held.
  expect(reads.reduce((sum, read) => sum + read, 0)).toBeLessThanOrEqual(4_400 + 6)
  expect(Math.min(...reads)).toBeGreaterThan(400)
})

test('a long PDU counts several times in the budget of the organisation', () => {
  const { seen } = connection(makeReadBudget(10_000), makeReadBudget(1_000), 1_000, 2_048)
  expect(seen.read).toBe(45)
})

test('a closed connection is not read any more', () => {
  const { seen, throttle } = connection(makeReadBudget(500), makeReadBudget(4_000), 1_000)
  throttle.stop()
  vi.advanceTimersByTime(1_000)
  expect(seen.read).toBe(200)
})
