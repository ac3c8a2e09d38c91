import { afterEach, describe, expect, test, vi } from 'vitest'
import { isId, madeAt, newId } from './id.ts'

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const many = (count: number) => Array.from({ length: count }, () => newId())
const inOrder = (ids: string[]) => [...new Set(ids)].sort()

describe('newId', () => {
  afterEach(() => void vi.useRealTimers())

  test('is a UUIDv7 in lower case, of now', () => {
    const before = Date.now()
    const id = newId()
    expect(id).toMatch(UUID_V7)
    expect(madeAt(id)).toBeGreaterThanOrEqual(before)
    expect(madeAt(id)).toBeLessThanOrEqual(Date.now() + 1)
  })

  test('ascends', () => {
    const ids = many(100_000)
    expect(ids).toEqual(inOrder(ids))
    expect(ids.every((id) => UUID_V7.test(id))).toBe(true)
  })

  test('ascends within one millisecond, beyond what the counter holds', () => {
    vi.useFakeTimers({ now: Date.now() + 1_000 })
    const ids = many(10_000)
    expect(ids).toEqual(inOrder(ids))
  })

  test('ascends when the clock goes back', () => {
    vi.useFakeTimers({ now: Date.now() + 60_000 })
    const before = many(10)
    vi.setSystemTime(Date.now() - 30_000)
    const ids = [...before, ...many(10)]
    expect(ids).toEqual(inOrder(ids))
  })

  test('differs in the random tail', () => {
    const tails = new Set(many(10_000).map((id) => id.slice(19)))
    expect(tails.size).toBe(10_000)
  })
})

describe('isId', () => {
  test.each([
    newId(),
    newId().toUpperCase(),
    '00000000-0000-0000-0000-000000000000',
    '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
  ])('%s', (text) => {
    expect(isId(text)).toBe(true)
  })

  test.each([
    undefined,
    null,
    7,
    {},
    [newId()],
    '',
    'x',
    `${newId()}\n`,
    ` ${newId()}`,
    `{${newId()}}`,
    newId().replaceAll('-', ''),
    `g${newId().slice(1)}`,
  ])('refuses %j', (text) => {
    expect(isId(text)).toBe(false)
  })
})
