import { expect, test } from 'vitest'
import { factsOf, SLOTS } from './answer-slots.ts'

test('facts are written as they stand in JSON: money in units', () => {
  const facts = factsOf({ created_datetime: 'then', balance_before: 10_0000n, balance_after: 9_9999n })
  expect(facts).toEqual({ created_datetime: 'then', balance_before: 10, balance_after: 9.9999 })
})

test('no two slots are alike, and no text of a customer can look like one', () => {
  const slots = Object.values(SLOTS)
  expect(new Set(slots).size).toBe(3)
  for (const slot of slots) {
    expect(slot).toHaveLength(1)
    expect(JSON.stringify(`before${slot}after`)).not.toContain(slot)
  }
})
