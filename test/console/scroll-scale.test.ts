import { describe, expect, test } from 'vitest'
import { elementHeight, isStuck, moved, scaleOf, spotAt } from '../../console/src/pages/contacts/scroll-scale.ts'

const ROW_PX = 38
const VIEW = 500
const short = scaleOf(1_000 * ROW_PX, VIEW)
const long = scaleOf(1_000_000 * ROW_PX, VIEW)

test('a list no browser could draw has an element it can', () => {
  expect(elementHeight(1_000 * ROW_PX)).toBe(38_000)
  expect(elementHeight(1_000_000 * ROW_PX)).toBeLessThan(17_000_000)
})

test('a list that fits its element scrolls with it', () => {
  expect(moved({ top: 10, bar_top: 10 }, 20_000, short)).toEqual({ top: 20_000, bar_top: 20_000 })
})

describe('in a list taller than its element', () => {
  test('the thumb reaches the first and the last row', () => {
    const end = moved({ top: 0, bar_top: 0 }, long.bar, long)
    expect(end.top).toBe(1_000_000 * ROW_PX - VIEW)
    expect(moved(end, 0, long).top).toBe(0)
    expect(moved(end, long.bar / 2, long).top / long.full).toBeCloseTo(0.5)
  })

  test('the wheel moves by pixels, so that no row is skipped, from wherever the thumb was left', () => {
    const middle = moved({ top: 0, bar_top: 0 }, long.bar / 2, long)
    expect(moved(middle, middle.bar_top + 100, long).top).toBe(middle.top + 100)
    expect(moved(middle, middle.bar_top - 100, long).top).toBe(middle.top - 100)
  })

  test('the wheel reaches both ends: a scrollbar that gets there first is set back', () => {
    for (const way of [1, -1]) {
      let spot = spotAt(way > 0 ? long.full - 5_000 : 5_000, long)
      for (let steps = 0; steps < 200; steps += 1) {
        const next = moved(spot, Math.min(Math.max(spot.bar_top + way * 100, 0), long.bar), long)
        expect(Math.abs(next.top - spot.top)).toBeLessThanOrEqual(100)
        spot = isStuck(next, long) ? spotAt(next.top, long) : next
      }
      expect(spot.top).toBeCloseTo(way > 0 ? long.full : 0, -2)
    }
  })
})
