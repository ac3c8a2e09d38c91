import { expect, test } from 'vitest'
import { readTime, writeTime } from './smpp-time.ts'

const NOW = Date.UTC(2026, 10, 16, 8, 0, 0)

test.each([
  ['261224180000000+', '2026-12-24T18:00:00.000Z'],
  ['261224180000004+', '2026-12-24T17:00:00.000Z'],
  ['261224180000004-', '2026-12-24T19:00:00.000Z'],
  ['000000010000000R', '2026-11-16T09:00:00.000Z'],
  ['000002000030000R', '2026-11-18T08:00:30.000Z'],
])('%s is %s', (text, moment) => {
  expect(new Date(readTime(text, NOW) ?? Number.NaN).toISOString()).toBe(moment)
})

test.each([['261324180000000+'], ['260230000000000+'], ['261224240000000+'], ['261224180000099+'], ['tomorrow'], ['']])(
  '%s is no time',
  (text) => {
    expect(readTime(text, NOW)).toBeUndefined()
  },
)

test('a written time is read back unchanged', () => {
  expect(readTime(writeTime(new Date(NOW)), 0)).toBe(NOW)
})
