/** Adds one item to the current batch; resolves with its result once the batch is written. */
export type BatchWriter<Item, Result> = (item: Item) => Promise<Result>
/** The same with a batch of its own for each key, for example for each organisation. */
export type KeyedBatchWriter<Item, Result> = (key: string, item: Item) => Promise<Result>

/** The results in the order of the items; a writer without results resolves to nothing. */
type Results<Result> = Promise<readonly Result[] | void>
type Pending<Item, Result> = { item: Item; resolve: (result: Result) => void; reject: (fault: unknown) => void }
type Queue<Item, Result> = { pending: Pending<Item, Result>[]; stopFilling?: (() => void) | undefined }

export type BatchLimits<Item> = {
  /** Maximum number of items in one write. */
  items: number
  /** Maximum sum of the items' weights in one write; a single heavier item is written alone. */
  weight?: { limit: number; of: (item: Item) => number }
  /** How long to wait for a batch to fill. Without it, a batch is written as soon as the previous write ends. */
  fill_ms?: number
}

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
): KeyedBatchWriter<Item, Result> {
  return makeRetryingBatchWriter(limits, NO_RETRIES, write, isFinal).add
}

const NO_RETRIES: BatchRetries<unknown> = { first_ms: 0, longest_ms: 0, shouldRetry: () => false }

/**
 * A keyed batch writer that retries a failed batch of one key, while the batches of other keys continue. `is_retry` means
 * that an earlier write of the same items may have been committed although its response was lost.
 */
export function makeRetryingBatchWriter<Item, Result = void>(
  limits: BatchLimits<Item>,
  retries: BatchRetries<Item>,
  write: (key: string, items: readonly Item[], is_retry: boolean) => Results<Result>,
  isFinal: (fault: unknown) => boolean = () => false,
): RetryingBatchWriter<Item, Result> {
  /** Keys with a write in progress. */
  const queues = new Map<string, Queue<Item, Result>>()
  const pauses = new Set<() => void>()
  let abandoned = false

  async function writeQueue(key: string, queue: Queue<Item, Result>): Promise<void> {
    while (queue.pending.length > 0) {
      await fill(queue)
      const size = batchSize(queue.pending, limits)
      const batch = queue.pending.slice(0, size)
      queue.pending = queue.pending.slice(size)
      await writeBatch(key, batch)
    }
    queues.delete(key)
  }

  function fill(queue: Queue<Item, Result>): Promise<void> {
    if (limits.fill_ms === undefined) return new Promise(setImmediate) // items of the same event loop iteration join
    if (queue.pending.length >= limits.items) return Promise.resolve()
    return pause(limits.fill_ms, (end) => (queue.stopFilling = end))
  }

  function pause(ms: number, onStart: (end: () => void) => void = () => {}): Promise<void> {
    if (abandoned) return Promise.resolve()
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer)
        pauses.delete(end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      pauses.add(end)
      onStart(end)
    })
  }

  /** Never rejects: each item's promise settles with its own outcome. */
  async function writeBatch(key: string, batch: readonly Pending<Item, Result>[]): Promise<void> {
    const items = batch.map(({ item }) => item)
    for (let failures = 0; ;) {
      try {
        const results = await write(key, items, failures > 0)
        if (results && results.length < batch.length) throw new Error('A batch write returned too few results.')
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without results, `Result` is void
        batch.forEach(({ resolve }, n) => resolve(results?.[n] as Result))
        return
      } catch (fault) {
        failures += 1
        if (abandoned || !retries.shouldRetry(fault, failures)) {
          return batch.length === 1 || isFinal(fault) ? rejectAll(batch, fault) : writeEach(key, batch)
        }
        retries.onRetry?.(key, items, fault, failures)
      }
      await pause(Math.min(retries.longest_ms, retries.first_ms * 2 ** (failures - 1)))
    }
  }

  async function writeEach(key: string, batch: readonly Pending<Item, Result>[]): Promise<void> {
    for (const one of batch) await writeBatch(key, [one])
  }

  function rejectAll(batch: readonly Pending<Item, Result>[], fault: unknown): void {
    for (const { reject } of batch) reject(fault)
  }

  function endPauses(): void {
    for (const end of pauses) end()
  }

  return {
    add: (key, item) =>
      new Promise((resolve, reject) => {
        const known = queues.get(key)
        const queue = known ?? { pending: [] }
        queue.pending.push({ item, resolve, reject })
        if (known) {
          if (queue.pending.length >= limits.items) queue.stopFilling?.()
          return
        }
        queues.set(key, queue)
        void writeQueue(key, queue)
      }),
    flush: endPauses,
    abandon() {
      abandoned = true
      endPauses()
    },
  }
}

function batchSize<Item>(pending: readonly { item: Item }[], { items, weight }: BatchLimits<Item>): number {
  if (!weight) return Math.min(items, pending.length)
  let total = 0
  let size = 0
  for (const { item } of pending) {
    total += weight.of(item)
    if (size === items || (size > 0 && total > weight.limit)) break
    size += 1
  }
  return size
}
