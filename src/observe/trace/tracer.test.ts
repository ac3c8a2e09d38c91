import { afterEach, expect, test, vi } from 'vitest'
import { nowMs } from './tracer.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('the time of a span follows the clock of the machine, also when that is set or the machine slept', () => {
  expect(Math.abs(nowMs() - Date.now())).toBeLessThan(60)
  const hour_ms = 3_600_000
  for (const moved of [Date.now() + 9 * hour_ms, Date.now() - hour_ms]) {
    vi.useFakeTimers({ now: moved, toFake: ['Date'] })
    expect(nowMs()).toBe(moved)
    // The same again, with what has passed since counted finely.
    const later = nowMs()
    expect(later).toBeGreaterThanOrEqual(moved)
    expect(later).toBeLessThan(moved + 50)
  }
})
