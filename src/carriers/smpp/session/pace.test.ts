import { beforeEach, describe, expect, test } from 'vitest'
import { makePace, type Pace } from './pace.ts'

let now = 0
const clock = (): number => now
beforeEach(() => {
  now = 0
})

/** Sends as fast as the pace allows until the clock shows `until`; returns the segments sent. */
function send(pace: Pace, until: number, segments = 1): number {
  let sent = 0
  while (now < until) {
    const wait_ms = pace.take(segments)
    if (wait_ms === 0) sent += segments
    now += wait_ms
    if (pace.rate === null && sent > 10_000) return sent
  }
  return sent
}

describe('pace of a bind', () => {
  test.each([1, 10, 100, 1_000])('sends %i segments per second, with bursts of at most a tenth of a second', (rate) => {
    now = 1_000
    const pace = makePace(rate, clock)
    expect(send(pace, 2_000)).toBeLessThanOrEqual(rate * 1.1 + 1)
    const sent = send(pace, 12_000)
    expect(sent).toBeGreaterThan(rate * 9.8)
    expect(sent).toBeLessThanOrEqual(rate * 10.1 + 1)
  })

  test('counts segments, not messages', () => {
    const sent = send(makePace(30, clock), 10_000, 3)
    expect(sent).toBeGreaterThan(290)
    expect(sent).toBeLessThanOrEqual(306)
  })

  test('is unlimited without a contract rate', () => {
    const pace = makePace(null, clock)
    expect(send(pace, 1)).toBeGreaterThan(10_000)
    expect(pace.rate).toBeNull()
  })

  test('RTHROTTLED pauses for a second and halves the rate, which then recovers step by step', () => {
    const pace = makePace(100, clock)
    send(pace, 1_000)
    now = 1_000
    pace.throttled(990)
    expect(pace.rate).toBe(50)
    now = 1_999
    expect(pace.take(1)).toBe(1)
    now = 2_000
    expect(send(pace, 3_000)).toBeLessThanOrEqual(51)
    expect(send(pace, 4_000)).toBeGreaterThan(51)
    send(pace, 30_000)
    expect(pace.rate).toBe(100)
  })

  test('counts the throttled submits of one window as one event', () => {
    const pace = makePace(100, clock)
    send(pace, 1_000)
    for (let n = 0; n < 50; n++) {
      now = 1_000 + n
      pace.throttled(950 + n)
    }
    expect(pace.rate).toBe(50)
    now = 1_500
    expect(pace.take(1)).toBe(500)
  })

  test('doubles the pause while nothing is accepted, up to 30 seconds', () => {
    const pace = makePace(100, clock)
    const pauses: number[] = []
    now = 1_000
    for (let n = 0; n < 7; n++) {
      pace.throttled(now - 1)
      pauses.push(pace.take(1))
      now += pauses.at(-1)! + 1
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
    expect(pace.rate).toBe(1)
    pace.accepted(now)
    now += 2
    pace.throttled(now - 1)
    expect(pace.take(1)).toBe(1_000)
  })

  test('without a contract rate, halves the rate it sent at when the SMSC throttles', () => {
    const pace = makePace(null, clock)
    for (; now < 80; now++) pace.take(1)
    now = 100
    pace.throttled(50)
    expect(pace.rate).toBe(40)
  })
})
