import { describe, expect, test } from 'vitest'
import { makePace, type Pace } from './pace.ts'

/** Sends all it may from one moment to another, asking as often as it is told to; gives how much that was. */
function send(pace: Pace, from: number, to: number, segments = 1): number {
  let sent = 0
  for (let now = from; now < to;) {
    const wait_ms = pace.take(segments, now)
    if (wait_ms === 0) sent += segments
    now += wait_ms
    if (pace.rate === null && sent > 10_000) return sent
  }
  return sent
}

describe('the pace of a bind', () => {
  test.each([1, 10, 100, 1_000])('is %i segments a second, with no burst worth the name', (rate) => {
    const pace = makePace(rate)
    expect(send(pace, 1_000, 2_000)).toBeLessThanOrEqual(rate * 1.1 + 1)
    const sent = send(pace, 2_000, 12_000)
    expect(sent).toBeGreaterThan(rate * 9.8)
    expect(sent).toBeLessThanOrEqual(rate * 10.1 + 1)
  })

  test('counts segments, not messages', () => {
    const sent = send(makePace(30), 0, 10_000, 3)
    expect(sent).toBeGreaterThan(290)
    expect(sent).toBeLessThanOrEqual(306)
  })

  test('has no limit where none is agreed', () => {
    const pace = makePace(null)
    expect(send(pace, 0, 1)).toBeGreaterThan(10_000)
    expect(pace.rate).toBeNull()
  })

  test('is halved by a throttle, after a pause of a second, and comes back step by step', () => {
    const pace = makePace(100)
    send(pace, 0, 1_000)
    pace.throttled(990, 1_000)
    expect(pace.rate).toBe(50)
    expect(pace.take(1, 1_999)).toBe(1)
    expect(send(pace, 2_000, 3_000)).toBeLessThanOrEqual(51)
    expect(send(pace, 3_000, 4_000)).toBeGreaterThan(51)
    send(pace, 4_000, 30_000)
    expect(pace.rate).toBe(100)
  })

  test('takes a window full of throttles for one', () => {
    const pace = makePace(100)
    send(pace, 0, 1_000)
    for (let n = 0; n < 50; n++) pace.throttled(950 + n, 1_000 + n)
    expect(pace.rate).toBe(50)
    expect(pace.take(1, 1_500)).toBe(500)
  })

  test('pauses longer and longer while nothing gets through, up to half a minute', () => {
    const pace = makePace(100)
    const pauses: number[] = []
    let now = 1_000
    for (let n = 0; n < 7; n++) {
      pace.throttled(now - 1, now)
      pauses.push(pace.take(1, now))
      now += pauses.at(-1)! + 1
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
    expect(pace.rate).toBe(1)
    pace.accepted(now)
    pace.throttled(now + 1, now + 2)
    expect(pace.take(1, now + 2)).toBe(1_000)
  })

  test('finds a rate of its own where none is agreed and the SMSC has one', () => {
    const pace = makePace(null)
    for (let n = 0; n < 80; n++) pace.take(1, n)
    pace.throttled(50, 100)
    expect(pace.rate).toBe(40)
  })
})
