import { EventEmitter } from 'node:events'
import type { Db } from '../db/connect.ts'
import { listen, notify } from '../db/listen.ts'

/** Tells workers that a queue has something due, here and in other processes. Losing a call costs only a poll. */
export type Wakeups = {
  /** Wakes the queue's workers, now or when something put there becomes due. */
  wake(queue: string, delay_ms?: number): void
  onWake(queue: string, listener: () => void): () => void
  close(): Promise<void>
}

const CHANNEL = 'gangan_jobs'

/** Other processes are told at most this often per queue: each NOTIFY takes a lock all commits of a server share. */
const NOTIFY_EVERY_MS = 50

/** Timers longer than this are left to the poll. */
const LONGEST_TIMER_MS = 5_000

export async function makeWakeups(db: Db): Promise<Wakeups> {
  const local = new EventEmitter()
  local.setMaxListeners(0)
  const announced = new Set<string>()
  const timers = new Set<NodeJS.Timeout>()
  let closed = false

  const subscription = await listen(db, CHANNEL, (queue) => local.emit(queue))

  function later(delay_ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, delay_ms)
    timer.unref()
    timers.add(timer)
  }

  function announce(queue: string): void {
    if (announced.has(queue)) return
    announced.add(queue)
    later(NOTIFY_EVERY_MS, () => {
      announced.delete(queue)
      if (closed) return
      notify(db, CHANNEL, queue).catch(() => {}) // the poll of the others finds the work
    })
  }

  return {
    wake(queue, delay_ms = 0) {
      if (closed || delay_ms > LONGEST_TIMER_MS) return
      if (delay_ms > 0) return later(delay_ms, () => local.emit(queue))
      local.emit(queue)
      announce(queue)
    },
    onWake(queue, listener) {
      local.on(queue, listener)
      return () => local.off(queue, listener)
    },
    async close() {
      closed = true
      for (const timer of timers) clearTimeout(timer)
      await subscription.close()
    },
  }
}
