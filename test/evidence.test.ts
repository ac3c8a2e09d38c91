import { expect, test } from 'vitest'
import { compareChoosers } from '../bench/evidence.ts'

test('choosing by evidence costs little more than an oracle and loses few OTPs, the same for the same seed', () => {
  const run = { hours: 1.5, warm_up_hours: 0.75 }
  const { evidence, order, cheapest } = compareChoosers(1, run)
  expect(evidence?.verified).toBeGreaterThan(0.98)
  expect(evidence?.cost).toBeLessThan(1.05)
  expect(order?.cost).toBeGreaterThan(1.3)
  expect(cheapest?.verified).toBeLessThan(0.85)
  expect(compareChoosers(1, run).evidence).toEqual(evidence)
  expect(compareChoosers(2, run).evidence?.choices).not.toBe(evidence?.choices)
})
