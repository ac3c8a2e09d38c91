import { expect, test } from 'vitest'
import { answeredWithin } from '../../console/src/pages/carriers/binds.ts'

const buckets = (...counts: number[]) => counts.map((count, at) => ({ up_to: [5, 10, 25, null][at] ?? null, count }))

test.each([
  [[0, 0, 0, 0], 0.5, undefined],
  [[1, 0, 0, 0], 0.5, 5],
  [[50, 50, 0, 0], 0.5, 5],
  [[49, 51, 0, 0], 0.5, 10],
  [[90, 0, 10, 0], 0.95, 25],
  [[0, 1, 0, 9], 0.95, null],
])('of answers %j the part %f came within %s ms', (counts, part, within) => {
  expect(answeredWithin(buckets(...counts), part)).toBe(within)
})
