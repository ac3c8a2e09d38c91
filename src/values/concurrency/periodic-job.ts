export type PeriodicJob = {
  /** Starts no further run, and resolves once the current one has ended. */
  stop(): Promise<void>
}

/** Runs a job every `interval_ms`, never two runs at a time. A failed run is passed to `onFailure`; the next one follows. */
export function startPeriodicJob(
  interval_ms: number,
  job: () => Promise<unknown>,
  onFailure: (fault: unknown) => void,
): PeriodicJob {
  let current: Promise<void> | undefined
  const timer = setInterval(() => {
    current ??= job()
      .then(() => {}, onFailure)
      .finally(() => {
        current = undefined
      })
  }, interval_ms)
  return {
    async stop() {
      clearInterval(timer)
      await current
    },
  }
}
