/** Adds one item and resolves with its result once the write that carried it is done. */
export type Burst<Item, Result> = (item: Item) => Promise<Result>

type Waiting<Item, Result> = { item: Item; resolve: (result: Result) => void; reject: (fault: unknown) => void }

export type BurstLimits<Item> = {
  items: number
  /** The sum of the items' weights in one write; a single heavier item goes alone. */
  weight?: { limit: number; of: (item: Item) => number }
}

/**
 * Group commit: items that arrive while a write is under way join the next one. `write` gives the results in the
 * order of the items. When it throws, and more than one item was in it, each is tried alone unless `final` says that
 * trying again makes no sense.
 */
export function makeBurst<Item, Result>(
  limits: BurstLimits<Item>,
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
  final: (fault: unknown) => boolean = () => false,
): Burst<Item, Result> {
  let line: Waiting<Item, Result>[] = []
  let writing = false

  async function serve(): Promise<void> {
    while (line.length > 0) {
      await new Promise(setImmediate) // whatever this turn of the event loop still brings comes along
      const size = burstSize(line, limits)
      const burst = line.slice(0, size)
      line = line.slice(size)
      await writeOut(burst)
    }
    writing = false
  }

  /** Never rejects: every item of the burst learns its own outcome. */
  async function writeOut(burst: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await write(burst.map(({ item }) => item))
      results.forEach((result, n) => burst[n]?.resolve(result))
      for (const { reject } of burst.slice(results.length)) reject(new Error('The write gave no result for this.'))
    } catch (fault) {
      if (burst.length === 1 || final(fault)) {
        for (const { reject } of burst) reject(fault)
      } else {
        for (const waiting of burst) await writeOut([waiting])
      }
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      line.push({ item, resolve, reject })
      if (writing) return
      writing = true
      void serve()
    })
}

function burstSize<Item>(line: readonly { item: Item }[], { items, weight }: BurstLimits<Item>): number {
  if (!weight) return Math.min(items, line.length)
  let total = 0
  let size = 0
  for (const { item } of line) {
    total += weight.of(item)
    if (size === items || (size > 0 && total > weight.limit)) break
    size += 1
  }
  return size
}
