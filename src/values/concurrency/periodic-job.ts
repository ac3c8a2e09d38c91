export type PeriodicJob = {
  /** Starts a run now; one in progress is not repeated. */
  run(): void
  /** Starts no further run, and resolves once the current one has ended. */
  stop(): Promise<void>
}

/**
 * Runs a job every `interval_ms`, never two runs at a time; `at_start`: the first one immediately. A failed run is passed
 * to `onFailure`; the next one follows.
 */
export function startPeriodicJob(
  interval_ms: number,
  job: () => Promise<unknown>,
  onFailure: (fault: unknown) => void,
  { at_start = false }: { at_start?: boolean } = {},
): PeriodicJob {
  let current: Promise<void> | undefined

  async function runOnce(): Promise<void> {
    try {
      await job()
    } catch (fault) {
      onFailure(fault)
    }
    current = undefined
  }

  function run(): void {
    current ??= runOnce()
  }

  const timer = setInterval(run, interval_ms)
  if (at_start) run()
  return {
    run,
    async stop() {
      clearInterval(timer)
      await current
    },
  }
}
