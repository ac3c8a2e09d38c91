/** A sleep that a wake-up ends. */
export type IdleWait = {
  /** Ends the present sleep, or keeps the next one from beginning. */
  wake: () => void
  /** From now on wake-ups count; those before are dealt with. */
  reset(): void
  /** Until a wake-up or the end of the time; not at all if one has come since `begin`. */
  wait(ms: number): Promise<void>
}

export function makeIdleWait(): IdleWait {
  let woken = false
  let rouse: (() => void) | undefined
  return {
    wake() {
      woken = true
      rouse?.()
    },
    reset() {
      woken = false
    },
    wait(ms) {
      if (woken) return Promise.resolve()
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, ms)
        rouse = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    },
  }
}
