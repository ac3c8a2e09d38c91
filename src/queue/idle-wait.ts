/** A wait that a wake-up ends. */
export type IdleWait = {
  /** Ends the current wait, or the next one if it has not started. */
  wake: () => void
  /** Forgets earlier wake-ups. Call it before checking for work, so that a wake-up during the check is not lost. */
  reset(): void
  /** Resolves at a wake-up or after the time, if one is given; immediately if a wake-up came since `reset`. */
  wait(ms?: number): Promise<void>
}

export function makeIdleWait(): IdleWait {
  let woken = false
  let end: (() => void) | undefined
  return {
    wake() {
      woken = true
      end?.()
    },
    reset() {
      woken = false
    },
    wait(ms) {
      if (woken) return Promise.resolve()
      return new Promise((resolve) => {
        const timer = ms === undefined ? undefined : setTimeout(resolve, ms)
        end = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    },
  }
}
