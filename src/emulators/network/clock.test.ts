import { expect, test } from 'vitest'
import { makeAgenda, startClock } from './clock.ts'

test('an agenda is in the order of time, and of equal times in the order of planning', () => {
  const agenda = makeAgenda()
  const done: [at_ms: number, n: number][] = []
  const planned = Array.from({ length: 5_000 }, (_, n): [number, number] => [(n * 7_919) % 1_000, n])
  const add = ([at_ms, n]: [number, number]) => agenda.add(at_ms, () => void done.push([at_ms, n]))
  planned.slice(0, 3_000).forEach(add)
  for (let n = 0; n < 1_000; n++) agenda.take()()
  expect(done).toEqual(
    planned
      .slice(0, 3_000)
      .toSorted(([a], [b]) => a - b)
      .slice(0, 1_000),
  )
  done.length = 0
  planned.slice(3_000).forEach(add)
  const left = [
    ...planned
      .slice(0, 3_000)
      .toSorted(([a], [b]) => a - b)
      .slice(1_000),
    ...planned.slice(3_000),
  ]
  expect(agenda.size).toBe(4_000)
  while (agenda.size > 0) agenda.take()()
  expect(done).toEqual(left.toSorted(([a], [b]) => a - b))
  expect(agenda.next_ms).toBe(Infinity)
})

test('simulated time runs faster than real time, and what is due then is done', async () => {
  const clock = startClock(1_000)
  const started = performance.now()
  const done: string[] = []
  const both = new Promise<void>((resolve) => {
    clock.later(60_000, () => {
      done.push('later')
      resolve()
    })
  })
  clock.later(30_000, () => void done.push('sooner'))
  await both
  expect(done).toEqual(['sooner', 'later'])
  expect(clock.now()).toBeGreaterThanOrEqual(60_000)
  expect(performance.now() - started).toBeGreaterThanOrEqual(55)
  clock.stop()
})

test('a stopped clock does nothing more', async () => {
  const [stopped, other] = [startClock(1), startClock(1)]
  let is_done = false
  stopped.later(1, () => (is_done = true))
  stopped.stop()
  await new Promise<void>((resolve) => other.later(20, resolve))
  expect(is_done).toBe(false)
  other.stop()
})
