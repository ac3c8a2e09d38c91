import {
  addTo,
  itemsOf,
  rejectAll,
  resolveAll,
  takeFrom,
  type Batch,
  type BatchLimits,
  type Queue,
} from './batch-queue.ts'
import { makeBoundedCache } from './bounded-cache.ts'
import { makePauses } from './pauses.ts'
import { waitAtMost } from './wait-at-most.ts'

/** Adds one item to the current batch; resolves with its result once the batch is written. */
export type BatchWriter<Item, Result> = (item: Item) => Promise<Result>
/** The same with a batch of its own for each key, for example for each organisation. */
export type KeyedBatchWriter<Item, Result> = (key: string, item: Item) => Promise<Result>

/** The results in the order of the items; a writer without results resolves to nothing. */
type Results<Result> = Promise<readonly Result[] | void>

/** When a failed batch is written again as it is; the delay doubles from `first_ms` to `longest_ms`. */
export type BatchRetries<Item> = {
  first_ms: number
  longest_ms: number
  /** `failures` counts the failed writes of this batch. */
  shouldRetry: (fault: unknown, failures: number) => boolean
  onRetry?: (key: string, items: readonly Item[], fault: unknown, failures: number) => void
}

export type RetryingBatchWriter<Item, Result> = {
  add: KeyedBatchWriter<Item, Result>
  /** Ends the current waits: partial batches are written and failed ones retried immediately. */
  flush: () => void
  /** From now on nothing is retried: an item whose write fails is rejected. */
  abandon: () => void
}

/** Items of one key within a shared write. */
export type Group<Item> = { key: string; items: readonly Item[] }

/** Writes that serve several keys: most of the cost of a write does not depend on the number of items in it. */
export type SharedWrites<Item, Result> = {
  /** Maximum number of keys in one write. */
  keys: number
  /** A key with more pending items than this, by weight, is written alone, so that it does not delay the others. */
  weight_per_key: number
  /**
   * Writes two or more groups, sorted by key, and resolves to the results of each: one per item, or none if items have no
   * results. Undefined: nothing of the group was written, and it has to be written alone. The write must not wait for
   * locks of another transaction for longer than a moment: then it leaves groups out, or fails.
   */
  write: (groups: readonly Group<Item>[], is_retry: boolean) => Promise<readonly (readonly Result[] | undefined)[]>
}

/**
 * Group commit: one write at a time, and items that arrive during a write join the next batch. If a write of several items
 * fails, each item is retried alone, unless `isFinal` says that a retry is pointless.
 */
export function makeBatchWriter<Item, Result = void>(
  limits: BatchLimits<Item>,
  write: (items: readonly Item[]) => Results<Result>,
  isFinal?: (fault: unknown) => boolean,
): BatchWriter<Item, Result> {
  const add = makeKeyedBatchWriter<Item, Result>(limits, (_, items) => write(items), isFinal)
  return (item) => add('', item)
}

export function makeKeyedBatchWriter<Item, Result = void>(
  limits: BatchLimits<Item>,
  write: (key: string, items: readonly Item[]) => Results<Result>,
  isFinal?: (fault: unknown) => boolean,
  shared?: SharedWrites<Item, Result>,
): KeyedBatchWriter<Item, Result> {
  return makeRetryingBatchWriter(limits, NO_RETRIES, write, isFinal, shared).add
}

const NO_RETRIES: BatchRetries<unknown> = { first_ms: 0, longest_ms: 0, shouldRetry: () => false }
/** How long a key that a shared write has left out is written alone. */
const ALONE_MS = 2_000
/** Keys that are remembered as such. */
const MAX_ALONE = 10_000
/** How long the shared batch waits for a write of a single key, which has no lock timeout. */
const MAX_WAIT_MS = 100

type QueuedBatch<Item, Result> = { queue: Queue<Item, Result>; batch: Batch<Item, Result> }

/**
 * A keyed batch writer that retries failed batches. `is_retry` means that an earlier write of the same items may have been
 * committed although its response was lost.
 *
 * A key has at most one write in flight. With `shared`, keys with few pending items are written together, by one write at
 * a time; a key with many is written alone, concurrently. A key that a shared write leaves out is written alone now, and
 * for a while. If a shared write fails, each of its keys is written alone. So no key fails another, or delays it for longer
 * than one write waits for a lock.
 */
export function makeRetryingBatchWriter<Item, Result = void>(
  limits: BatchLimits<Item>,
  retries: BatchRetries<Item>,
  write: (key: string, items: readonly Item[], is_retry: boolean) => Results<Result>,
  isFinal: (fault: unknown) => boolean = () => false,
  shared?: SharedWrites<Item, Result>,
): RetryingBatchWriter<Item, Result> {
  const queues = new Map<string, Queue<Item, Result>>()
  /** Queues for the next shared write, in the order of their arrival. */
  const waiting = new Set<Queue<Item, Result>>()
  /** Until when keys are written alone. */
  const alone_until_ms = makeBoundedCache<string, number>(MAX_ALONE)
  const pauses = makePauses()
  /** Ends the wait for the shared batch, or the batch of a key, to fill. */
  const fills = new Map<string, () => void>()
  /** Items of the waiting queues. */
  let waiting_items = 0
  let is_sharing = false
  let abandoned = false

  /** After an item was added to a queue that is not being written, or a write of it has ended. */
  function schedule(queue: Queue<Item, Result>): void {
    if (queue.pending.length === 0) {
      queues.delete(queue.key)
      return
    }
    if (!shared || isWrittenAlone(queue, shared)) {
      stopWaiting(queue)
      void writeAlone(queue)
      return
    }
    queue.state = 'waiting'
    waiting.add(queue)
    waiting_items += queue.pending.length
    if (!is_sharing) void writeShared(shared)
  }

  function isWrittenAlone(
    { key, weight }: Queue<Item, Result>,
    { weight_per_key }: SharedWrites<Item, Result>,
  ): boolean {
    return weight > weight_per_key || performance.now() < (alone_until_ms.get(key) ?? 0)
  }

  async function writeAlone(queue: Queue<Item, Result>): Promise<void> {
    await fill(queue.key, () => queue.pending.length)
    await writeBatch(queue.key, takeFrom(queue, limits))
    schedule(queue)
  }

  async function writeShared(limit: SharedWrites<Item, Result>): Promise<void> {
    is_sharing = true
    while (waiting.size > 0) {
      await fill(SHARED, () => waiting_items)
      const batches = takeWaiting(limit)
      const [first] = batches
      if (batches.length === 1 && first) await waitAtMost(MAX_WAIT_MS, writeQueued(first))
      else if (first) await writeGroups(limit, batches)
    }
    is_sharing = false
  }

  function takeWaiting({ keys }: SharedWrites<Item, Result>): QueuedBatch<Item, Result>[] {
    const batches: QueuedBatch<Item, Result>[] = []
    let items = 0
    for (const queue of waiting) {
      if (batches.length === keys || items >= limits.items) break
      stopWaiting(queue)
      const batch = takeFrom(queue, limits)
      items += batch.length
      batches.push({ queue, batch })
    }
    return batches.sort((a, b) => (a.queue.key < b.queue.key ? -1 : 1))
  }

  function stopWaiting(queue: Queue<Item, Result>): void {
    if (waiting.delete(queue)) waiting_items -= queue.pending.length
    queue.state = 'writing'
  }

  async function writeQueued({ queue, batch }: QueuedBatch<Item, Result>): Promise<void> {
    await writeBatch(queue.key, batch)
    schedule(queue)
  }

  /** Resolves when the shared write is over. Keys that are then written alone are not waited for. */
  async function writeGroups(limit: SharedWrites<Item, Result>, batches: QueuedBatch<Item, Result>[]): Promise<void> {
    const groups = batches.map(({ queue, batch }) => ({ key: queue.key, items: itemsOf(batch) }))
    for (let failures = 0; ;) {
      try {
        const results = await limit.write(groups, failures > 0)
        for (const [n, one] of batches.entries()) {
          const own = results[n]
          if (own && resolveAll(one.batch, own)) schedule(one.queue)
          else {
            alone_until_ms.set(one.queue.key, performance.now() + ALONE_MS)
            void writeQueued(one)
          }
        }
        return
      } catch (fault) {
        failures += 1
        if (abandoned || !retries.shouldRetry(fault, failures)) {
          for (const one of batches) {
            if (!isFinal(fault)) void writeQueued(one)
            else {
              rejectAll(one.batch, fault)
              schedule(one.queue)
            }
          }
          return
        }
        for (const { key, items } of groups) retries.onRetry?.(key, items, fault, failures)
        await pauses.pause(retryDelay(failures))
      }
    }
  }

  function fill(key: string, count: () => number): Promise<void> {
    if (limits.fill_ms === undefined) return new Promise(setImmediate) // items of the same event loop iteration join
    if (count() >= limits.items) return Promise.resolve()
    return pauses.pause(limits.fill_ms, (end) => fills.set(key, end)).then(() => void fills.delete(key))
  }

  function retryDelay(failures: number): number {
    return Math.min(retries.longest_ms, retries.first_ms * 2 ** (failures - 1))
  }

  /** Never rejects: each item's promise settles with its own outcome. */
  async function writeBatch(key: string, batch: Batch<Item, Result>): Promise<void> {
    const items = itemsOf(batch)
    for (let failures = 0; ;) {
      try {
        const results = await write(key, items, failures > 0)
        if (!resolveAll(batch, results ?? [])) throw new Error('A batch write returned too few results.')
        return
      } catch (fault) {
        failures += 1
        if (abandoned || !retries.shouldRetry(fault, failures)) {
          return batch.length === 1 || isFinal(fault) ? rejectAll(batch, fault) : writeEach(key, batch)
        }
        retries.onRetry?.(key, items, fault, failures)
      }
      await pauses.pause(retryDelay(failures))
    }
  }

  async function writeEach(key: string, batch: Batch<Item, Result>): Promise<void> {
    for (const one of batch) await writeBatch(key, [one])
  }

  return {
    add: (key, item) =>
      new Promise((resolve, reject) => {
        const known = queues.get(key)
        const queue = known ?? { key, state: 'waiting', pending: [], weight: 0 }
        addTo(queue, { item, resolve, reject }, limits)
        if (waiting.has(queue)) waiting_items += 1
        if (!known) queues.set(key, queue)
        if (limits.fill_ms !== undefined) stopFilling(queue)
        if (!known || (queue.state === 'waiting' && shared && queue.weight > shared.weight_per_key)) schedule(queue)
      }),
    flush: () => pauses.endAll(),
    abandon() {
      abandoned = true
      pauses.disable()
    },
  }

  function stopFilling(queue: Queue<Item, Result>): void {
    if (queue.pending.length >= limits.items) fills.get(queue.key)?.()
    if (waiting_items >= limits.items) fills.get(SHARED)?.()
  }
}

/** The shared batch fills under this name; keys are ids. */
const SHARED = ' shared'
