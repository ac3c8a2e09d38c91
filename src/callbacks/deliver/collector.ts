/** Adds one item and resolves once it is written. */
export type Collector<Item> = (item: Item) => Promise<void>

type Waiting<Item> = { item: Item; resolve: () => void; reject: (fault: unknown) => void }

/**
 * Items that nobody is in a hurry about are written together: all that come within a time, or as soon as there are
 * enough. Where a burst (`values/concurrency/batch-writer.ts`) writes at once and lets others join the next write, this waits first. When
 * a write fails each of its items is tried alone, unless `final` says that trying again makes no sense.
 */
export function makeCollector<Item>(
  { every_ms, items }: { every_ms: number; items: number },
  write: (items: readonly Item[]) => Promise<void>,
  final: (fault: unknown) => boolean = () => false,
): Collector<Item> {
  let line: Waiting<Item>[] = []
  let timer: NodeJS.Timeout | undefined

  function writeLine(): void {
    clearTimeout(timer)
    timer = undefined
    const batch = line
    line = []
    void writeOut(batch)
  }

  /** Never rejects: every item learns its own outcome. */
  async function writeOut(batch: readonly Waiting<Item>[]): Promise<void> {
    try {
      await write(batch.map(({ item }) => item))
      for (const { resolve } of batch) resolve()
    } catch (fault) {
      if (batch.length === 1 || final(fault)) for (const { reject } of batch) reject(fault)
      else for (const waiting of batch) await writeOut([waiting])
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      line.push({ item, resolve, reject })
      if (line.length >= items) writeLine()
      else timer ??= setTimeout(writeLine, every_ms)
    })
}
