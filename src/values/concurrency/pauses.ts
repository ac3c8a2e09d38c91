/** Waits that can be ended before their time. */
export type Pauses = {
  /** `onStart` receives the function that ends this wait alone. */
  pause(ms: number, onStart?: (end: () => void) => void): Promise<void>
  /** Ends the waits in progress. */
  endAll(): void
  /** Ends the waits in progress, and from now on every wait immediately. */
  disable(): void
}

export function makePauses(): Pauses {
  const pauses = new Set<() => void>()
  let disabled = false

  function endAll(): void {
    for (const end of pauses) end()
  }

  return {
    pause(ms, onStart) {
      if (disabled) return Promise.resolve()
      return new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer)
          pauses.delete(end)
          resolve()
        }
        const timer = setTimeout(end, ms)
        pauses.add(end)
        onStart?.(end)
      })
    },
    endAll,
    disable() {
      disabled = true
      endAll()
    },
  }
}
