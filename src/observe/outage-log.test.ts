import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { summariseOutages } from './outage-log.ts'

const AWAY = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function open() {
  const lines: string[] = []
  const note = (details: object, sentence: string) => void lines.push(`${sentence} ${JSON.stringify(details)}`)
  const state = { answers: true, lines }
  const log = summariseOutages({ info: note, warn: note, error: note }, async () => state.answers)
  return { state, log, lines }
}

test('an outage is one line at its begin, a summary every 30 seconds, and one line at its end', async () => {
  const { state, log, lines } = open()
  state.answers = false
  for (let second = 0; second < 70; second += 1) {
    for (let n = 0; n < 100; n += 1) log.error({ err: AWAY }, 'a request failed')
    await vi.advanceTimersByTimeAsync(1_000)
  }
  state.answers = true
  await vi.advanceTimersByTimeAsync(1_000)
  expect(lines).toEqual([
    'the database is unavailable {"reason":"no server accepts connections there: ECONNREFUSED"}',
    'the database is still unavailable {"for_s":30,"faults":3000}',
    'the database is still unavailable {"for_s":60,"faults":6000}',
    'the database is available again {"for_s":71,"faults":7000}',
  ])
  log.error({ err: AWAY }, 'a late failure')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(lines).toHaveLength(4)
})

test('while the database answers, every line is written', async () => {
  const { log, lines } = open()
  log.warn({ err: AWAY, vendor: 'v' }, 'a vendor is unreachable')
  log.error({ err: new Error('a bug') }, 'a request failed')
  log.info({}, 'something')
  await vi.advanceTimersByTimeAsync(0)
  expect(lines.map((line) => line.split(' {')[0])).toEqual(['a request failed', 'something', 'a vendor is unreachable'])
})

test('during an outage, other errors are written', async () => {
  const { state, log, lines } = open()
  state.answers = false
  log.error({ err: AWAY }, 'a request failed')
  await vi.advanceTimersByTimeAsync(0)
  log.error({ err: new Error('a bug') }, 'another failed')
  log.error({ reason: 'x' }, 'an entry was lost')
  expect(lines.slice(1).map((line) => line.split(' {')[0])).toEqual(['another failed', 'an entry was lost'])
})
