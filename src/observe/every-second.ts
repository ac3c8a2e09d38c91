const EVERY_MS = 1_000
/** After a write comes a rest of so many times what it took: counting takes a twentieth of the time, whoever is counted. */
const REST = 20
const LONGEST_MS = 10_000

/** Writes down what was counted, every second unless it says otherwise and at the end, one write at a time. */
export function everySecond(write: () => Promise<void>, every_ms = EVERY_MS): { stop(): Promise<void> } {
  let writing: Promise<void> | undefined
  let timer = later(every_ms)

  function later(pause_ms: number): NodeJS.Timeout {
    return setTimeout(begin, pause_ms).unref()
  }
  function begin(): void {
    const began = performance.now()
    writing = write().finally(() => {
      writing = undefined
      const rest_ms = Math.min(REST * (performance.now() - began), LONGEST_MS)
      timer = later(Math.max(every_ms, rest_ms))
    })
  }
  return {
    async stop() {
      clearTimeout(timer)
      await writing
      clearTimeout(timer)
      await write()
    },
  }
}

const AT_ONCE = 4

/** A few at a time, so that counting leaves connections to the others. */
export async function fewAtATime<T>(items: readonly T[], write: (item: T) => Promise<void>): Promise<void> {
  for (let n = 0; n < items.length; n += AT_ONCE) await Promise.all(items.slice(n, n + AT_ONCE).map(write))
}
