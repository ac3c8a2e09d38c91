import { describe, expect, test } from 'vitest'
import { makePatience, type Patience } from './concurrency.ts'
import type { PostOutcome } from '../post/post.ts'

const LANE = 'lane'
const TURN = { organisation_id: 'organisation', lane: LANE }
const took = (duration_ms: number): PostOutcome => ({ kind: 'answered', status: 200, excerpt: '', duration_ms })

/** Posts that want their turn, in order; `begun` are those that have had it. */
async function crowd(
  patience: Patience,
  count: number,
  lane = LANE,
  organisation_id = 'organisation',
): Promise<{ begun: number[] }> {
  const begun: number[] = []
  for (let n = 0; n < count; n += 1) void patience.enter({ organisation_id, lane }).then(() => begun.push(n))
  await turn()
  return { begun }
}

const turn = () => new Promise(setImmediate)

function learn(patience: Patience, times: number, delivered: boolean, duration_ms = 10): void {
  for (let n = 0; n < times; n += 1) patience.learn(LANE, delivered, took(duration_ms))
}

describe('an endpoint', () => {
  test('has eight posts under way at first, and each that ends lets the next begin', async () => {
    const patience = makePatience()
    const { begun } = await crowd(patience, 11)
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    patience.leave(TURN)
    await turn()
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    patience.leave(TURN)
    patience.leave(TURN)
    await turn()
    expect(begun).toHaveLength(11)
  })

  test('does not wait for another', async () => {
    const patience = makePatience()
    await crowd(patience, 20)
    const { begun } = await crowd(patience, 2, 'another')
    expect(begun).toEqual([0, 1])
  })

  test('may start afresh when all its posts have ended', async () => {
    const patience = makePatience()
    for (let round = 0; round < 3; round += 1) {
      const { begun } = await crowd(patience, 8)
      expect(begun).toHaveLength(8)
      for (let n = 0; n < 8; n += 1) patience.leave(TURN)
    }
    const { begun } = await crowd(patience, 9)
    expect(begun).toHaveLength(8)
  })

  test('that nobody waits for may be left: nothing happens', () => {
    const patience = makePatience()
    expect(() => patience.leave(TURN)).not.toThrow()
  })

  test('that answers promptly earns one more each time, up to 32', async () => {
    const patience = makePatience()
    learn(patience, 1, true, 999)
    expect((await crowd(patience, 20)).begun).toHaveLength(9)
    learn(patience, 100, true)
    const other = makePatience()
    learn(other, 100, true)
    expect((await crowd(other, 50)).begun).toHaveLength(32)
  })

  test('that answers slowly earns nothing', async () => {
    const patience = makePatience()
    learn(patience, 5, true, 1_000)
    expect((await crowd(patience, 20)).begun).toHaveLength(8)
  })

  test('that fails gets half each time, and never less than one', async () => {
    const patience = makePatience()
    learn(patience, 1, true)
    learn(patience, 1, false)
    expect((await crowd(patience, 20)).begun).toHaveLength(4)
    const dead = makePatience()
    learn(dead, 20, false)
    const { begun } = await crowd(dead, 20)
    expect(begun).toEqual([0])
    dead.leave(TURN)
    await turn()
    expect(begun).toEqual([0, 1])
  })

  test('that fails while posts are under way begins none until few enough are left', async () => {
    const patience = makePatience()
    const { begun } = await crowd(patience, 12)
    learn(patience, 1, false)
    for (let n = 0; n < 4; n += 1) patience.leave(TURN)
    await turn()
    expect(begun).toHaveLength(8)
    patience.leave(TURN)
    await turn()
    expect(begun).toHaveLength(9)
  })

  test('may have more in hand than under way, and many more the better it is', () => {
    const patience = makePatience()
    expect(patience.limit(LANE)).toBe(16 * 8)
    learn(patience, 100, true)
    expect(patience.limit(LANE)).toBe(64 * 32)
    learn(patience, 100, false)
    expect(patience.limit(LANE)).toBe(8)
    expect(patience.limit('another')).toBe(128)
  })
})

test('of too many endpoints all are forgotten', () => {
  const patience = makePatience()
  for (let n = 0; n <= 50_000; n += 1) patience.learn(`lane ${n}`, true, took(1))
  expect(patience.limit('lane 0')).toBe(18 * 9)
  patience.learn('one more', true, took(1))
  expect(patience.limit('lane 0')).toBe(128)
  expect(patience.limit('one more')).toBe(18 * 9)
})

describe('the room for all posts', () => {
  /** How many of the posts that want to begin have begun, at so many endpoints of an organisation. */
  async function fill(patience: Patience, organisation_id: string, endpoints: number): Promise<() => number> {
    const crowds: { begun: number[] }[] = []
    for (let n = 0; n < endpoints; n += 1) {
      crowds.push(await crowd(patience, 8, `${organisation_id} ${n}`, organisation_id))
    }
    return () => crowds.reduce((sum, { begun }) => sum + begun.length, 0)
  }

  test('is never filled by one organisation, nor by several: who comes new finds some', async () => {
    const patience = makePatience(64)
    const first = await fill(patience, 'first', 100)
    expect(first()).toBe(32)
    const second = await fill(patience, 'second', 100)
    expect(second()).toBe(16)
    expect((await fill(patience, 'third', 100))()).toBe(8)
    expect((await fill(patience, 'fourth', 1))()).toBeGreaterThanOrEqual(1)
  })

  test('is shared by the endpoints of an organisation: one that comes new finds some', async () => {
    const patience = makePatience(64)
    const before = await fill(patience, 'organisation', 4)
    expect(before()).toBeGreaterThan(24)
    expect(before()).toBeLessThan(32)
    expect((await crowd(patience, 8, 'new')).begun.length).toBeGreaterThanOrEqual(1)
  })

  test('goes to those that wait for it, in turn, and all come to their end', async () => {
    const patience = makePatience(64)
    const begun: string[] = []
    const want = (organisation_id: string, lane: string) =>
      void patience.enter({ organisation_id, lane }).then(() => begun.push(`${organisation_id}/${lane}`))
    for (let n = 0; n < 2_000; n += 1) want('many', `endpoint ${n % 200}`)
    for (let n = 0; n < 20; n += 1) want('few', 'only')
    await turn()
    expect(begun.filter((one) => one.startsWith('few'))).toHaveLength(8)
    for (let n = 0; n < 2_020; n += 1) {
      const [organisation_id = '', lane = ''] = begun[n]?.split('/') ?? []
      patience.leave({ organisation_id, lane })
      await turn()
    }
    expect(begun).toHaveLength(2_020)
    // The few do not stand behind the many.
    expect(begun.findLastIndex((one) => one.startsWith('few'))).toBeLessThan(200)
  })
})
