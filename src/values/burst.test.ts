import { describe, expect, test } from 'vitest'
import { makeBurst } from './burst.ts'

describe('a burst', () => {
  test('carries in one write what arrives while another is under way', async () => {
    const writes: number[][] = []
    const add = makeBurst({ items: 100 }, async (items: readonly number[]) => {
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
    const add = makeBurst(limits, async (items: readonly number[]) => {
      writes.push([...items])
      return items
    })
    await Promise.all([1, 1, 1, 1, 9, 2, 50, 1].map(add))
    expect(writes).toEqual([[1, 1, 1], [1, 9], [2], [50], [1]])
  })

  test('tries each alone when a write fails, so that only the bad one fails', async () => {
    const add = makeBurst({ items: 10 }, async (items: readonly string[]) => {
      if (items.includes('bad')) throw new Error('bad item')
      return items
    })
    const outcomes = await Promise.allSettled(['a', 'bad', 'b'].map(add))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  test('does not try again when it makes no sense', async () => {
    let writes = 0
    const add = makeBurst(
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
