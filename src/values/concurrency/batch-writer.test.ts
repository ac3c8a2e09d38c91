import { describe, expect, test } from 'vitest'
import { makeBatchWriter } from './batch-writer.ts'

describe('a batch writer', () => {
  test('writes items that arrive during a write in one batch', async () => {
    const writes: number[][] = []
    const add = makeBatchWriter({ items: 100 }, async (items: readonly number[]) => {
      writes.push([...items])
      await new Promise(setImmediate)
      return items.map((item) => item * 2)
    })
    const first = add(1)
    await new Promise(setImmediate)
    const rest = await Promise.all([add(2), add(3), add(4)])
    expect(await first).toBe(2)
    expect(rest).toEqual([4, 6, 8])
    expect(writes).toEqual([[1], [2, 3, 4]])
  })

  test('stays within its limits, and lets a heavy item go alone', async () => {
    const writes: number[][] = []
    const limits = { items: 3, weight: { limit: 10, of: (item: number) => item } }
    const add = makeBatchWriter(limits, async (items: readonly number[]) => {
      writes.push([...items])
      return items
    })
    await Promise.all([1, 1, 1, 1, 9, 2, 50, 1].map(add))
    expect(writes).toEqual([[1, 1, 1], [1, 9], [2], [50], [1]])
  })

  test('tries each alone when a write fails, so that only the bad one fails', async () => {
    const add = makeBatchWriter({ items: 10 }, async (items: readonly string[]) => {
      if (items.includes('bad')) throw new Error('bad item')
      return items
    })
    const outcomes = await Promise.allSettled(['a', 'bad', 'b'].map(add))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  test('does not try again when it makes no sense', async () => {
    let writes = 0
    const add = makeBatchWriter(
      { items: 10 },
      async (): Promise<never[]> => {
        writes += 1
        throw new Error('away')
      },
      () => true,
    )
    const outcomes = await Promise.allSettled([add(1), add(2)])
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    expect(writes).toBe(1)
  })
})

test('with a fill time, a batch is written when the time is over or when it is full', async () => {
  const writes: number[][] = []
  const add = makeBatchWriter({ items: 3, fill_ms: 5 }, async (items: readonly number[]) => {
    writes.push([...items])
    return items
  })
  await Promise.all([1, 2, 3, 4].map(add))
  await add(5)
  expect(writes).toEqual([[1, 2, 3], [4], [5]])
})

test('a full batch does not wait for the fill time', async () => {
  const add = makeBatchWriter({ items: 2, fill_ms: 2 ** 31 - 1 }, async (items: readonly number[]) => items)
  const first = add(1)
  await new Promise(setImmediate)
  expect(await Promise.all([first, add(2)])).toEqual([1, 2])
})
