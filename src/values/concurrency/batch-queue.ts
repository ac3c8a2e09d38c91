/** A pending item, and the functions that settle its promise. */
export type Pending<Item, Result> = { item: Item; resolve: (result: Result) => void; reject: (fault: unknown) => void }
export type Batch<Item, Result> = readonly Pending<Item, Result>[]

export type BatchLimits<Item> = {
  /** Maximum number of items in one write. */
  items: number
  /** Maximum sum of the items' weights in one write; a single heavier item is written alone. */
  weight?: { limit: number; of: (item: Item) => number }
  /** How long to wait for a batch to fill. Without it, a batch is written as soon as the previous write ends. */
  fill_ms?: number
}

/** `waiting` for a shared write, or `writing`. A key without pending items has no queue. */
export type Queue<Item, Result> = {
  key: string
  state: 'waiting' | 'writing'
  pending: Pending<Item, Result>[]
  weight: number
}

export function addTo<Item, Result>(
  queue: Queue<Item, Result>,
  pending: Pending<Item, Result>,
  { weight }: BatchLimits<Item>,
): void {
  queue.pending.push(pending)
  queue.weight += weight?.of(pending.item) ?? 1
}

/** Takes the next batch from a queue. */
export function takeFrom<Item, Result>(queue: Queue<Item, Result>, limits: BatchLimits<Item>): Batch<Item, Result> {
  const size = batchSize(queue.pending, limits)
  const batch = queue.pending.slice(0, size)
  queue.pending = queue.pending.slice(size)
  for (const { item } of batch) queue.weight -= limits.weight?.of(item) ?? 1
  return batch
}

export function itemsOf<Item>(batch: readonly { item: Item }[]): Item[] {
  return batch.map(({ item }) => item)
}

/** False if there are too few results. Without any, `Result` is void. */
export function resolveAll<Item, Result>(batch: Batch<Item, Result>, results: readonly Result[]): boolean {
  if (results.length > 0 && results.length < batch.length) return false
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without results, `Result` is void
  batch.forEach(({ resolve }, n) => resolve(results[n] as Result))
  return true
}

export function rejectAll<Item, Result>(batch: Batch<Item, Result>, fault: unknown): void {
  for (const { reject } of batch) reject(fault)
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
