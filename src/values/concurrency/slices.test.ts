import { expect, test } from 'vitest'
import { makeSlices } from './slices.ts'

test('a slice is over after its time, and the next one begins after a rest', async () => {
  let now_ms = 0
  const slices = makeSlices(() => now_ms)
  expect(slices.isOver()).toBe(false)
  now_ms += 100
  expect(slices.isOver()).toBe(true)
  await slices.rest()
  expect(slices.isOver()).toBe(false)
})
