const EVERY_MS = 1_000

/** Writes down what was counted, every second unless it says otherwise and at the end, one write at a time. */
export function everySecond(write: () => Promise<void>, every_ms = EVERY_MS): { stop(): Promise<void> } {
  let writing: Promise<void> | undefined
  const timer = setInterval(() => {
    writing ??= write().finally(() => {
      writing = undefined
    })
  }, every_ms)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await writing
      await write()
    },
  }
}

const AT_ONCE = 4

/** A few at a time, so that counting leaves connections to the others. */
export async function fewAtATime<T>(items: readonly T[], write: (item: T) => Promise<void>): Promise<void> {
  for (let n = 0; n < items.length; n += AT_ONCE) await Promise.all(items.slice(n, n + AT_ONCE).map(write))
}
