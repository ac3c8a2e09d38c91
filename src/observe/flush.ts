const INTERVAL_MS = 1_000
/** The pause after a write is this many times its duration, so that writing takes at most a twentieth of the time. */
const PAUSE_FACTOR = 20
const MAX_PAUSE_MS = 10_000

/** Calls `write` every `interval_ms`, one call at a time, and once more when it is stopped. Slow writes run less often. */
export function startFlush(write: () => Promise<void>, interval_ms = INTERVAL_MS): { stop(): Promise<void> } {
  let writing: Promise<void> | undefined
  let timer = schedule(interval_ms)

  function schedule(pause_ms: number): NodeJS.Timeout {
    return setTimeout(run, pause_ms).unref()
  }
  function run(): void {
    const began = performance.now()
    writing = write().finally(() => {
      writing = undefined
      const pause_ms = Math.min(PAUSE_FACTOR * (performance.now() - began), MAX_PAUSE_MS)
      timer = schedule(Math.max(interval_ms, pause_ms))
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
