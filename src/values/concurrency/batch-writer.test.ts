import { describe, expect, test } from 'vitest'
import { makeBatchWriter, makeRetryingBatchWriter } from './batch-writer.ts'

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

describe('a retrying batch writer', () => {
  const UNREACHABLE = new Error('unreachable')
  const REJECTED = new Error('rejected')

  /** A table that stores items, or fails with the next of the faults; an item named `bad` is always rejected. */
  function makeTable(faults: Error[] = [], max_failures = Infinity) {
    const stored: string[] = []
    const writes: { key: string; items: string[]; is_retry: boolean }[] = []
    const retried: number[] = []
    const writer = makeRetryingBatchWriter<string>(
      { items: 3, fill_ms: 1 },
      {
        first_ms: 1,
        longest_ms: 4,
        shouldRetry: (fault, failures) => fault === UNREACHABLE && failures < max_failures,
        onRetry: (_, items) => void retried.push(items.length),
      },
      async (key, items, is_retry) => {
        writes.push({ key, items: [...items], is_retry })
        await new Promise(setImmediate)
        const fault = items.includes('bad') ? REJECTED : faults.shift()
        if (fault) throw fault
        stored.push(...items)
      },
      (fault) => fault === UNREACHABLE,
    )
    return { ...writer, stored, writes, retried }
  }

  test('writes a failed batch again, as one that may be stored already', async () => {
    const { add, stored, writes, retried } = makeTable([UNREACHABLE, UNREACHABLE])
    await Promise.all([add('one', 'a'), add('one', 'b')])
    expect(stored).toEqual(['a', 'b'])
    expect(writes.map(({ is_retry }) => is_retry)).toEqual([false, true, true])
    expect(retried).toEqual([2, 2])
  })

  test('does not delay the batches of another key', async () => {
    const { add, flush, writes } = makeTable([UNREACHABLE])
    const one = add('one', 'a')
    await add('other', 'b')
    flush()
    await one
    expect(writes.filter(({ key }) => key === 'other')).toHaveLength(1)
  })

  test('rejects only the item that cannot be written', async () => {
    const { add, stored } = makeTable()
    const outcomes = await Promise.allSettled(['a', 'bad', 'c'].map((item) => add('one', item)))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(stored).toEqual(['a', 'c'])
  })

  test('rejects the batch after the last retry', async () => {
    const { add, writes } = makeTable([UNREACHABLE, UNREACHABLE, UNREACHABLE], 3)
    await expect(add('one', 'a')).rejects.toBe(UNREACHABLE)
    expect(writes).toHaveLength(3)
  })

  test('once abandoned, writes every item once and rejects it if that fails', async () => {
    const { add, flush, abandon, writes } = makeTable(Array.from({ length: 100 }, () => UNREACHABLE))
    const outcome = add('one', 'a')
    while (writes.length === 0) await new Promise(setImmediate)
    flush()
    abandon()
    await expect(outcome).rejects.toBe(UNREACHABLE)
    const before = writes.length
    await expect(add('one', 'b')).rejects.toBe(UNREACHABLE)
    expect(writes).toHaveLength(before + 1)
  })
})

describe('a shared batch writer', () => {
  const LIMITS = { items: 100, weight: { limit: 50, of: (item: string) => item.length } }

  type Write = { keys: string[]; items: string[] }

  /** A table whose rows of some keys are locked until `unlock`; an item named `bad` is always rejected. */
  function makeTable({ locked = [], faults = [] }: { locked?: string[]; faults?: Error[] } = {}) {
    const writes: Write[] = []
    const blocked = new Set(locked)
    let unlock = (): void => {}
    const unlocked = new Promise<void>((resolve) => (unlock = resolve))
    const { add } = makeRetryingBatchWriter<string, string>(
      LIMITS,
      { first_ms: 1, longest_ms: 1, shouldRetry: (fault) => fault === LOST },
      async (key, items) => {
        writes.push({ keys: [key], items: [...items] })
        if (items.includes('bad')) throw new Error('rejected')
        await (blocked.has(key) ? unlocked : new Promise(setImmediate))
        return items.map((item) => `${key} ${item}`)
      },
      () => false,
      {
        keys: 4,
        weight_per_key: 6,
        async write(groups) {
          writes.push({ keys: groups.map(({ key }) => key), items: groups.flatMap(({ items }) => items) })
          await new Promise(setImmediate)
          const fault = faults.shift()
          if (fault) throw fault
          if (groups.some(({ items }) => items.includes('bad'))) throw new Error('rejected')
          return groups.map(({ key, items }) => (blocked.has(key) ? undefined : items.map((item) => `${key} ${item}`)))
        },
      },
    )
    return { add, writes, unlock: () => unlock() }
  }
  const LOST = new Error('connection lost')

  test('writes several keys in one write, sorted, and resolves each item with its own result', async () => {
    const { add, writes } = makeTable()
    expect(await Promise.all([add('b', '1'), add('a', '2'), add('b', '3')])).toEqual(['b 1', 'a 2', 'b 3'])
    expect(writes).toEqual([{ keys: ['a', 'b'], items: ['2', '1', '3'] }])
  })

  test('writes no more keys together than its limit, the first to arrive first', async () => {
    const { add, writes } = makeTable()
    await Promise.all(['f', 'e', 'd', 'c', 'b', 'a'].map((key) => add(key, '1')))
    expect(writes.map(({ keys }) => keys)).toEqual([
      ['c', 'd', 'e', 'f'],
      ['a', 'b'],
    ])
  })

  test('writes a key with much to write alone, while the others share', async () => {
    const { add, writes } = makeTable()
    await Promise.all([add('a', '1'), add('heavy', 'xxxx'), add('b', '1'), add('heavy', 'yyyy')])
    expect(writes).toContainEqual({ keys: ['heavy'], items: ['xxxx', 'yyyy'] })
    expect(writes).toContainEqual({ keys: ['a', 'b'], items: ['1', '1'] })
    expect(writes).toHaveLength(2)
  })

  test('has at most one write of a key in flight', async () => {
    const { add, writes, unlock } = makeTable({ locked: ['a'] })
    const first = add('a', '1')
    while (writes.length === 0) await new Promise(setImmediate)
    const rest = [add('a', '2'), add('a', '3')]
    await Promise.all([add('b', '1'), add('c', '1')])
    expect(writes.filter(({ keys }) => keys.includes('a'))).toHaveLength(1)
    unlock()
    expect(await Promise.all([first, ...rest])).toEqual(['a 1', 'a 2', 'a 3'])
    expect(writes.at(-1)).toEqual({ keys: ['a'], items: ['2', '3'] })
  })

  test('writes a key that a shared write has left out alone, for a while', async () => {
    const { add, writes, unlock } = makeTable({ locked: ['a'] })
    const locked = add('a', '1')
    expect(await Promise.all([add('b', '1'), add('c', '1')])).toEqual(['b 1', 'c 1'])
    expect(writes).toEqual([
      { keys: ['a', 'b', 'c'], items: ['1', '1', '1'] },
      { keys: ['a'], items: ['1'] },
    ])
    unlock()
    expect(await locked).toBe('a 1')
    await Promise.all([add('a', '2'), add('b', '2'), add('c', '2')])
    expect(writes.slice(2)).toContainEqual({ keys: ['a'], items: ['2'] })
    expect(writes.slice(2)).toContainEqual({ keys: ['b', 'c'], items: ['2', '2'] })
  })

  test('writes each key alone after another failure, so that only the bad item fails', async () => {
    const { add, writes } = makeTable()
    const given: [string, string][] = [
      ['a', '1'],
      ['b', 'bad'],
      ['b', '2'],
      ['c', '1'],
    ]
    const outcomes = await Promise.allSettled(given.map(([key, item]) => add(key, item)))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    expect(writes.filter(({ keys }) => keys.length > 1)).toHaveLength(1)
  })

  test('retries a shared write whose connection was lost', async () => {
    const { add, writes } = makeTable({ faults: [LOST, LOST] })
    expect(await Promise.all([add('a', '1'), add('b', '1')])).toEqual(['a 1', 'b 1'])
    expect(writes.map(({ keys }) => keys)).toEqual([
      ['a', 'b'],
      ['a', 'b'],
      ['a', 'b'],
    ])
  })
})
