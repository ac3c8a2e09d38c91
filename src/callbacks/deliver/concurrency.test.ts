import { describe, expect, test } from 'vitest'
import { makeConcurrencyLimit, type ConcurrencyLimit } from './concurrency.ts'
import type { PostOutcome } from '../post/outcome.ts'

const LANE = 'lane'
const TURN = { organisation_id: 'organisation', lane: LANE }
const took = (duration_ms: number): PostOutcome => ({ kind: 'answered', status: 200, excerpt: '', duration_ms })

/** Posts that want their turn, in order; `begun` are those that have had it. */
async function crowd(
  concurrency: ConcurrencyLimit,
  count: number,
  lane = LANE,
  organisation_id = 'organisation',
): Promise<{ begun: number[] }> {
  const begun: number[] = []
  for (let n = 0; n < count; n += 1) void concurrency.acquire({ organisation_id, lane }).then(() => begun.push(n))
  await turn()
  return { begun }
}

const turn = () => new Promise(setImmediate)

function learn(concurrency: ConcurrencyLimit, times: number, delivered: boolean, duration_ms = 10): void {
  for (let n = 0; n < times; n += 1) concurrency.learn(LANE, delivered, took(duration_ms))
}

describe('an endpoint', () => {
  test('has eight posts under way at first, and each that ends lets the next begin', async () => {
    const concurrency = makeConcurrencyLimit()
    const { begun } = await crowd(concurrency, 11)
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    concurrency.release(TURN)
    await turn()
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    concurrency.release(TURN)
    concurrency.release(TURN)
    await turn()
    expect(begun).toHaveLength(11)
  })

  test('does not wait for another', async () => {
    const concurrency = makeConcurrencyLimit()
    await crowd(concurrency, 20)
    const { begun } = await crowd(concurrency, 2, 'another')
    expect(begun).toEqual([0, 1])
  })

  test('may start afresh when all its posts have ended', async () => {
    const concurrency = makeConcurrencyLimit()
    for (let round = 0; round < 3; round += 1) {
      const { begun } = await crowd(concurrency, 8)
      expect(begun).toHaveLength(8)
      for (let n = 0; n < 8; n += 1) concurrency.release(TURN)
    }
    const { begun } = await crowd(concurrency, 9)
    expect(begun).toHaveLength(8)
  })

  test('can be released without a waiting post', () => {
    const concurrency = makeConcurrencyLimit()
    expect(() => concurrency.release(TURN)).not.toThrow()
  })

  test('that answers promptly earns one more each time, up to 32', async () => {
    const concurrency = makeConcurrencyLimit()
    learn(concurrency, 1, true, 999)
    expect((await crowd(concurrency, 20)).begun).toHaveLength(9)
    learn(concurrency, 100, true)
    const other = makeConcurrencyLimit()
    learn(other, 100, true)
    expect((await crowd(other, 50)).begun).toHaveLength(32)
  })

  test('that answers slowly earns nothing', async () => {
    const concurrency = makeConcurrencyLimit()
    learn(concurrency, 5, true, 1_000)
    expect((await crowd(concurrency, 20)).begun).toHaveLength(8)
  })

  test('that fails gets half each time, and never less than one', async () => {
    const concurrency = makeConcurrencyLimit()
    learn(concurrency, 1, true)
    learn(concurrency, 1, false)
    expect((await crowd(concurrency, 20)).begun).toHaveLength(4)
    const dead = makeConcurrencyLimit()
    learn(dead, 20, false)
    const { begun } = await crowd(dead, 20)
    expect(begun).toEqual([0])
    dead.release(TURN)
    await turn()
    expect(begun).toEqual([0, 1])
  })

  test('that fails while posts are under way begins none until few enough are left', async () => {
    const concurrency = makeConcurrencyLimit()
    const { begun } = await crowd(concurrency, 12)
    learn(concurrency, 1, false)
    for (let n = 0; n < 4; n += 1) concurrency.release(TURN)
    await turn()
    expect(begun).toHaveLength(8)
    concurrency.release(TURN)
    await turn()
    expect(begun).toHaveLength(9)
  })

  test('may have more in hand than under way, and many more the better it is', () => {
    const concurrency = makeConcurrencyLimit()
    expect(concurrency.limit(LANE)).toBe(16 * 8)
    learn(concurrency, 100, true)
    expect(concurrency.limit(LANE)).toBe(64 * 32)
    learn(concurrency, 100, false)
    expect(concurrency.limit(LANE)).toBe(8)
    expect(concurrency.limit('another')).toBe(128)
  })
})

test('the limit of an endpoint that was not used for long is forgotten', () => {
  const concurrency = makeConcurrencyLimit()
  for (let n = 0; n <= 50_000; n += 1) concurrency.learn(`lane ${n}`, true, took(1))
  expect(concurrency.limit('lane 0')).toBe(128)
  expect(concurrency.limit('lane 50000')).toBe(18 * 9)
})

describe('the room for all posts', () => {
  /** How many of the posts that want to begin have begun, at so many endpoints of an organisation. */
  async function fill(
    concurrency: ConcurrencyLimit,
    organisation_id: string,
    endpoints: number,
  ): Promise<() => number> {
    const crowds: { begun: number[] }[] = []
    for (let n = 0; n < endpoints; n += 1) {
      crowds.push(await crowd(concurrency, 8, `${organisation_id} ${n}`, organisation_id))
    }
    return () => crowds.reduce((sum, { begun }) => sum + begun.length, 0)
  }

  test('is never filled by one organisation, nor by several: who comes new finds some', async () => {
    const concurrency = makeConcurrencyLimit(64)
    const first = await fill(concurrency, 'first', 100)
    expect(first()).toBe(32)
    const second = await fill(concurrency, 'second', 100)
    expect(second()).toBe(16)
    expect((await fill(concurrency, 'third', 100))()).toBe(8)
    expect((await fill(concurrency, 'fourth', 1))()).toBeGreaterThanOrEqual(1)
  })

  test('is shared by the endpoints of an organisation: one that comes new finds some', async () => {
    const concurrency = makeConcurrencyLimit(64)
    const before = await fill(concurrency, 'organisation', 4)
    expect(before()).toBeGreaterThan(24)
    expect(before()).toBeLessThan(32)
    expect((await crowd(concurrency, 8, 'new')).begun.length).toBeGreaterThanOrEqual(1)
  })

  test('goes to those that wait for it, in turn, and all come to their end', async () => {
    const concurrency = makeConcurrencyLimit(64)
    const begun: string[] = []
    const want = (organisation_id: string, lane: string) =>
      void concurrency.acquire({ organisation_id, lane }).then(() => begun.push(`${organisation_id}/${lane}`))
    for (let n = 0; n < 2_000; n += 1) want('many', `endpoint ${n % 200}`)
    for (let n = 0; n < 20; n += 1) want('few', 'only')
    await turn()
    expect(begun.filter((one) => one.startsWith('few'))).toHaveLength(8)
    for (let n = 0; n < 2_020; n += 1) {
      const [organisation_id = '', lane = ''] = begun[n]?.split('/') ?? []
      concurrency.release({ organisation_id, lane })
      await turn()
    }
    expect(begun).toHaveLength(2_020)
    // The few do not stand behind the many.
    expect(begun.findLastIndex((one) => one.startsWith('few'))).toBeLessThan(200)
  })
})
