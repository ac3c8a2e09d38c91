import { Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeAllowance, makeBrake, type Allowance } from './brake.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A connection with so much to read, that is read as fast as its brake allows. */
function connection(account: Allowance, organisation: Allowance, pdus: number, octets = 16) {
  const seen = { read: 0 }
  let held = false
  const read = (): void => {
    while (!held && seen.read < pdus) {
      seen.read += 1
      brake.count(octets)
    }
  }
  const wire = {
    hold: () => void (held = true),
    release() {
      held = false
      read()
    },
  }
  const brake = makeBrake(wire, new Socket())
  brake.allow(account, organisation)
  read()
  return { seen, brake }
}

test('an account is read no faster than its rate allows', () => {
  const { seen } = connection(makeAllowance(500), makeAllowance(4_000), 1_000)
  expect(seen.read).toBe(200)
  vi.advanceTimersByTime(100)
  expect(seen.read).toBe(400)
  vi.advanceTimersByTime(1_000)
  expect(seen.read).toBe(1_000)
})

test('the accounts of an organisation share what it may send, each in turn', () => {
  const organisation = makeAllowance(1_000)
  const all = Array.from({ length: 6 }, () => connection(makeAllowance(500), organisation, 10_000))
  expect(all.map(({ seen }) => seen.read)).toEqual([200, 200, 1, 1, 1, 1])
  vi.advanceTimersByTime(1_000)
  const reads = all.map(({ seen }) => seen.read)
  // Each may find out once that there is nothing left.
  expect(reads.reduce((sum, read) => sum + read, 0)).toBeLessThanOrEqual(4_400 + 6)
  expect(Math.min(...reads)).toBeGreaterThan(400)
})

test('a long PDU counts as several of the organisation', () => {
  const { seen } = connection(makeAllowance(10_000), makeAllowance(1_000), 1_000, 2_048)
  expect(seen.read).toBe(45)
})

test('a connection that has gone is read no more', () => {
  const { seen, brake } = connection(makeAllowance(500), makeAllowance(4_000), 1_000)
  brake.stop()
  vi.advanceTimersByTime(1_000)
  expect(seen.read).toBe(200)
})
