/** Bounds how many tasks run at a time. Waiting tasks start in the order of arrival, round robin over their keys. */
export type Semaphore = {
  /** Runs the task once a permit is free; resolves or rejects as the task does. */
  run<T>(task: () => Promise<T>, key?: string): Promise<T>
  /** Tasks running and waiting. */
  readonly size: number
}

export function makeSemaphore(permits: number): Semaphore {
  /** Waiting tasks by key. A Map keeps insertion order: a key that was served moves to the end. */
  const queues = new Map<string, (() => void)[]>()
  let running = 0
  let waiting = 0

  function startNext(): void {
    for (const [key, queue] of queues) {
      if (running >= permits) return
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
        startNext()
      }
    },
    get size() {
      return running + waiting
    },
  }
}
