import { describe, expect, test } from 'vitest'
import { momentsOf, RANGES } from '../../console/src/ui/date/date-range.ts'

/** The last day of a long month after a shorter one, in the afternoon. */
const NOW = new Date(2026, 2, 31, 15, 30)

describe('a predefined period', () => {
  test.each([
    ['today', new Date(2026, 2, 31), undefined],
    ['yesterday', new Date(2026, 2, 30), new Date(2026, 2, 31)],
    ['7d', new Date(2026, 2, 25), undefined],
    ['30d', new Date(2026, 2, 2), undefined],
    ['month', new Date(2026, 2, 1), undefined],
    ['last-month', new Date(2026, 1, 1), new Date(2026, 2, 1)],
  ])('%s begins and ends with days', (range, from, until) => {
    expect(momentsOf({ range }, NOW)).toEqual({ from, until })
  })

  test('is covered by these tests', () => {
    expect(RANGES.map(({ value }) => value)).toEqual(['today', 'yesterday', '7d', '30d', 'month', 'last-month'])
  })

  test('crosses a change of year', () => {
    expect(momentsOf({ range: 'last-month' }, new Date(2026, 0, 1))).toEqual({
      from: new Date(2025, 11, 1),
      until: new Date(2026, 0, 1),
    })
  })
})

test('custom dates are used as given, and invalid ones are ignored', () => {
  expect(momentsOf({ range: 'own', from: '2026-01-02T03:04', until: 'soon' }, NOW)).toEqual({
    from: new Date(2026, 0, 2, 3, 4),
    until: undefined,
  })
  expect(momentsOf({}, NOW)).toEqual({ from: undefined, until: undefined })
})
