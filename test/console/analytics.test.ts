import { describe, expect, test } from 'vitest'
import { valueName } from '../../console/src/pages/analytics/analytics.ts'
import { change } from '../../console/src/ui/change.ts'
import { axisMarks, ticks } from '../../console/src/pages/analytics/axis.ts'
import { dateIn, daysOf, usualInterval } from '../../console/src/pages/analytics/days.ts'

test("named periods are counted from today, in the organisation's time zone", () => {
  expect(dateIn('Africa/Lagos', new Date('2026-11-15T23:30:00Z'))).toBe('2026-11-16')
  const today = '2026-03-01'
  expect(daysOf('yesterday', today)).toEqual({ from: '2026-02-28', until: '2026-02-28' })
  expect(daysOf('week', today)).toEqual({ from: '2026-02-23', until: today })
  expect(daysOf('month', today)).toEqual({ from: today, until: today })
  expect(daysOf('last_month', today)).toEqual({ from: '2026-02-01', until: '2026-02-28' })
  expect(usualInterval(daysOf('today', today))).toBe('hour')
  expect(usualInterval(daysOf('days', today))).toBe('day')
  expect(usualInterval(daysOf('year', today))).toBe('month')
})

describe('the axis', () => {
  test.each([0, 1, 4, 7, 99, 1_234, 87_654, 1e9])('of up to %s has a few round ticks that cover it', (largest) => {
    const marks = axisMarks(largest, 'count')
    expect(marks[0]).toBe(0)
    expect(marks.at(-1)).toBeGreaterThanOrEqual(largest)
    expect(marks.length).toBeLessThanOrEqual(6)
    expect(marks.every(Number.isInteger)).toBe(true)
  })

  test('of money may have fractions, of shares ends at 100 %', () => {
    expect(axisMarks(0.4, 'money')).toEqual([0, 0.25, 0.5, 0.75, 1])
    expect(axisMarks(0.4, 'share').at(-1)).toBe(1)
  })

  test.each([
    [10, -3],
    [0, -0.4],
    [87_654, -1_000],
    [0, -1e9],
  ])('of %s down to %s has few ticks that cover both, and nothing', (largest, smallest) => {
    const marks = axisMarks(largest, 'money', smallest)
    expect(marks[0]).toBeLessThanOrEqual(smallest)
    expect(marks.at(-1)).toBeGreaterThanOrEqual(largest)
    expect(marks).toContain(0)
    expect(marks.length).toBeLessThanOrEqual(7)
  })

  test('of shares goes below nothing where there are losses', () => {
    const marks = axisMarks(0.4, 'share', -0.3)
    expect([marks[0], marks.at(-1)]).toEqual([-0.5, 1])
  })

  test('has as many labels as fit', () => {
    expect(ticks(7, 1_000)).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(ticks(744, 400).length).toBeLessThanOrEqual(4)
    expect(ticks(1, 10)).toEqual([0])
  })
})

test('differences and values are formatted as text', () => {
  expect(change({ form: 'count' }, 150, 100)).toBe('+50%')
  expect(change({ form: 'count' }, 150, 0)).toBe('')
  expect(change({ form: 'share' }, 0.9, 0.95)).toBe('−5 points')
  expect(valueName('operator', 'NG MTN')).toBe('MTN, Nigeria')
  expect(valueName('operator', 'NG')).toBe('Unknown, Nigeria')
  expect(valueName('country', '')).toBe('Unknown')
  expect(valueName('sender', '')).toBe('No sender')
})
