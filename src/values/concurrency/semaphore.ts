/** Bounds how many tasks run at a time. Waiting tasks start in the order of arrival, round robin over their keys. */
export type Semaphore = {
  /** Runs the task once a permit is free; resolves or rejects as the task does. */
  run<T>(task: () => Promise<T>, key?: string): Promise<T>
  /** Tasks running and waiting. */
  readonly size: number
}

/** `permits_per_key` bounds the running tasks of one key. */
export function makeSemaphore(permits: number, permits_per_key = Infinity): Semaphore {
  /** Waiting tasks by key. A Map keeps insertion order: a key that was served moves to the end. */
  const queues = new Map<string, (() => void)[]>()
  const running_of = new Map<string, number>()
  let running = 0
  let waiting = 0

  function startNext(): void {
    for (const [key, queue] of queues) {
      if (running >= permits) return
      const of_key = running_of.get(key) ?? 0
      if (of_key >= permits_per_key) continue
      running_of.set(key, of_key + 1)
      const start = queue.shift()
      queues.delete(key)
      if (queue.length > 0) queues.set(key, queue)
      running += 1
      waiting -= 1
      start?.()
    }
  }

  function acquire(key: string): Promise<void> {
    return new Promise((resolve) => {
      const queue = queues.get(key)
      if (queue) queue.push(resolve)
      else queues.set(key, [resolve])
      waiting += 1
      startNext()
    })
  }

  return {
    async run(task, key = '') {
      await acquire(key)
      try {
        return await task()
      } finally {
        running -= 1
        const of_key = (running_of.get(key) ?? 0) - 1
        if (of_key > 0) running_of.set(key, of_key)
        else running_of.delete(key)
        startNext()
      }
    },
    get size() {
      return running + waiting
    },
  }
}
