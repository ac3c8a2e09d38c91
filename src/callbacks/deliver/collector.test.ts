import { expect, onTestFinished, test, vi } from 'vitest'
import { makeCollector } from './collector.ts'

test('writes together what comes within the time, and at once when there is enough', async () => {
  const writes: number[][] = []
  const collect = makeCollector(
    { every_ms: 5, items: 3 },
    async (items: readonly number[]) => void writes.push([...items]),
  )
  await Promise.all([1, 2, 3, 4].map(collect))
  expect(writes).toEqual([[1, 2, 3], [4]])
})

test('one that cannot be written takes no other along', async () => {
  const written: number[] = []
  const collect = makeCollector({ every_ms: 1, items: 10 }, async (items: readonly number[]) => {
    if (items.includes(2)) throw new Error('two')
    written.push(...items)
  })
  const outcomes = await Promise.allSettled([1, 2, 3].map(collect))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(written).toEqual([1, 3])
})

test('starts a new time for what comes after a write, and leaves nothing behind', async () => {
  const writes: number[][] = []
  const collect = makeCollector(
    { every_ms: 5, items: 2 },
    async (items: readonly number[]) => void writes.push([...items]),
  )
  await Promise.all([1, 2].map(collect))
  await collect(3)
  await Promise.all([4, 5].map(collect))
  expect(writes).toEqual([[1, 2], [3], [4, 5]])
})

test('the time of a line that was full does not cut the next one short', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const writes: number[][] = []
  const collect = makeCollector(
    { every_ms: 10, items: 2 },
    async (items: readonly number[]) => void writes.push([...items]),
  )
  void collect(1)
  vi.advanceTimersByTime(9)
  void collect(2)
  void collect(3)
  vi.advanceTimersByTime(9)
  expect(writes).toEqual([[1, 2]])
  vi.advanceTimersByTime(1)
  expect(writes).toEqual([[1, 2], [3]])
})

test('one alone that cannot be written is not tried again', async () => {
  let tries = 0
  const collect = makeCollector({ every_ms: 1, items: 10 }, async () => {
    tries += 1
    throw new Error('broken')
  })
  await expect(collect(1)).rejects.toThrow('broken')
  expect(tries).toBe(1)
})

test('a fault that is final is tried once', async () => {
  let tries = 0
  const write = async (): Promise<void> => {
    tries += 1
    throw new Error('away')
  }
  const collect = makeCollector({ every_ms: 1, items: 10 }, write, () => true)
  const outcomes = await Promise.allSettled([1, 2, 3].map(collect))
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
  expect(tries).toBe(1)
})
