import { describe, expect, test } from 'vitest'
import { delayFrom } from './report-times.ts'

/** Reports by the bounds 0.5, 1, 2, 5, 10, 30, 60, 300 and 1,800 seconds, and later. */
const times = (...counts: number[]) => [...counts, ...Array.from({ length: 10 - counts.length }, () => 0)]

describe('the delay of a second message', () => {
  test.each([
    ['within a bucket, by interpolation', [times(0, 0, 0, 0, 100, 100)], 28],
    ['at a bound', [times(0, 0, 0, 0, 190, 10)], 10],
    ['rounded up to a second', [times(0, 0, 0, 0, 300)], 10],
    ['across empty buckets', [times(100, 0, 0, 0, 0, 0, 100)], 57],
    ['at least 5 seconds', [times(300)], 5],
    ['at most the longest delay', [times(0, 0, 0, 0, 0, 0, 0, 200)], 60],
    ['the longest delay, if the reports took longer than half an hour', [times(100, 0, 0, 0, 0, 0, 0, 0, 0, 100)], 60],
    ['the longest delay, with fewer than 200 reports', [times(199)], 60],
    ['the longest delay, without reports', [], 60],
    ['by the reports of all carriers together', [times(0, 0, 0, 0, 100), times(0, 0, 0, 0, 0, 100)], 28],
  ])('is %s', (_, report_times, expected) => {
    expect(delayFrom(report_times, 60)).toBe(expected)
  })

  test('is never longer than the longest delay, even below 5 seconds', () => {
    expect(delayFrom([times(300)], 5)).toBe(5)
    expect(delayFrom([times(0, 0, 0, 0, 300)], 7)).toBe(7)
  })
})
