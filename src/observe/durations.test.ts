import { Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { makeDurations } from './durations.ts'

const NAME = 'gangan_test_seconds'
const BUCKETS = [0.001, 0.01, 0.1, 1]

/** The lines of a text, in an order of their own. */
const lines = (text: string): string[] => text.trim().split('\n').sort()

test('exports the same as the histogram of prom-client', async () => {
  const ours = new Registry()
  const theirs = new Registry()
  const durations = makeDurations(ours, {
    name: NAME,
    help: 'How long.',
    label_names: ['route', 'status'],
    buckets: BUCKETS,
  })
  const histogram = new Histogram({
    name: NAME,
    help: 'How long.',
    labelNames: ['route', 'status'],
    buckets: BUCKETS,
    registers: [theirs],
  })
  expect(lines(await ours.metrics())).toEqual(lines(await theirs.metrics()))
  for (const [n, seconds] of [0, 0.001, 0.0010001, 0.05, 0.1, 0.5, 1, 1.5, 60].entries()) {
    for (const labels of [
      { route: '/a', status: 200 },
      { route: '/b "x"', status: n % 2 === 0 ? 200 : 402 },
    ]) {
      durations.observe(labels, seconds)
      histogram.observe(labels, seconds)
    }
  }
  expect(lines(await ours.metrics())).toEqual(lines(await theirs.metrics()))
  const merge = async (registry: Registry) =>
    Registry.prototype.getMetricsAsJSON.call(registry) as Promise<{ values: object[]; aggregator: string }[]>
  const [one] = await merge(ours)
  const [other] = await merge(theirs)
  expect(one).toMatchObject({ aggregator: other?.aggregator })
  expect(one?.values).toHaveLength(other?.values.length ?? 0)
})
