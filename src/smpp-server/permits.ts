/** Bounds how much is carried out at a time; what is more waits in the order it came. */
export type Permits = {
  /** Resolves as the work does. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** With what waits. */
  readonly size: number
}

export function makePermits(most: number): Permits {
  const waiting: (() => void)[] = []
  let running = 0

  async function run<T>(work: () => Promise<T>): Promise<T> {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }

  return {
    run,
    get size() {
      return running + waiting.length
    },
  }
}
