import { describe, expect, test } from 'vitest'
import { runCarrier } from '../../bench/evidence-outages.ts'
import { REJECTIONS, REPORT_BOUNDS_S } from '../observe/evidence.ts'
import { makeOutages } from './outage.ts'

const SEEDS = [1, 2, 3]
const OUTAGE = { from_s: 1_800, until_s: 2_400 }

describe('a carrier with 10 messages per second', () => {
  test.each([
    ['all', 1],
    ['half', 0.5],
  ])('that loses %s of them is left out within a minute, and is back after probes', (_, lost) => {
    for (const seed of SEEDS) {
      const run = runCarrier({ seed, rate: 10, hours: 0.8, outage: { ...OUTAGE, lost } })
      expect(run.left_after_s).toBeLessThanOrEqual(60)
      expect(run.false_alarms).toBe(0)
      expect(run.back_after_s).toBeLessThan(300)
      // At most one in two seconds, and fewer while none is reported.
      expect(run.probes).toBeLessThan(310)
      expect(run.probes).toBeGreaterThan(20)
    }
  })

  test('that collects its reports for five seconds is not left out', () => {
    for (const seed of SEEDS) {
      const pause = { from_s: 1_200, until_s: 1_205 }
      expect(runCarrier({ seed, rate: 10, hours: 0.5, pause }).false_alarms).toBe(0)
      expect(runCarrier({ seed, rate: 100, hours: 0.4, pause }).false_alarms).toBe(0)
    }
  })
})

test('reports that arrive late clear a carrier at once', () => {
  const run = runCarrier({ seed: 1, rate: 10, hours: 0.6, pause: { from_s: 1_200, until_s: 1_260 } })
  expect(run.false_alarms).toBe(1)
  // Without them it would take a probe in two seconds, for half a minute.
  expect(run.probes).toBeLessThan(15)
})

test.each([0.1, 1, 10])('reports that vary are no outage at %d messages per second', (rate) => {
  for (const seed of SEEDS) expect(runCarrier({ seed, rate, hours: 3 }).false_alarms).toBe(0)
})

function open() {
  const time = { ms: 0 }
  const outages = makeOutages(() => time.ms)
  const times = REPORT_BOUNDS_S.map((_, n) => (n === 2 ? 1 : 0))
  const add = (steps: number, sent: number, reports: number, temporary = 0) => {
    for (let n = 0; n < steps; n++) {
      time.ms += 2_000
      const rejections = REJECTIONS.map((one) => (one === 'temporary' ? temporary : 0))
      const of = { carrier: 'one', country: 'NG', operator: 'MTN', channel: 'sms', rejections }
      const report_times = times.map((count) => count * reports)
      outages.add([{ ...of, submitted: sent, delivered: reports, undelivered: 0, report_times }])
    }
  }
  return { time, outages, add, isOut: () => outages.of('one').is_out }
}

test('a carrier without history, or that never reports, is never out', () => {
  const { add, isOut } = open()
  add(500, 20, 0)
  expect(isOut()).toBe(false)
})

test('messages that a carrier rejects for the time being count as missing reports at once', () => {
  const { add, isOut } = open()
  add(300, 20, 20)
  add(5, 0, 0, 20)
  expect(isOut()).toBe(false)
  add(5, 0, 0, 20)
  expect(isOut()).toBe(true)
})

test('no time passes while nothing was counted, because the counts may be late', () => {
  const { add, isOut, time, outages } = open()
  add(300, 20, 20)
  for (let n = 0; n < 100; n++) {
    time.ms += 2_000
    outages.add([])
  }
  add(1, 2_000, 2_000)
  expect(isOut()).toBe(false)
})

test('probes become rarer while none is reported', () => {
  const { add, isOut, time, outages } = open()
  add(300, 20, 20)
  add(20, 20, 0)
  expect(isOut()).toBe(true)
  let probes = 0
  for (let s = 0; s < 600; s++) {
    time.ms += 1_000
    if (outages.mayProbe('one')) probes += 1
  }
  expect(probes).toBeGreaterThan(20)
  expect(probes).toBeLessThan(30)
  expect(outages.mayProbe('other')).toBe(false)
})
