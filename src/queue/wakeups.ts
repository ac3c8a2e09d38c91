import { EventEmitter } from 'node:events'
import type { Db } from '../db/connect.ts'
import { listen, notify } from '../db/listen.ts'
import { startClusterPoll } from './cluster-poll.ts'

/** Tells workers that a queue has something due, here and in other processes. Losing a call costs only a poll. */
export type Wakeups = {
  /** Wakes the queue's workers, now or when something put there becomes due. `detail` is for them: whose it is, say. */
  wake(queue: string, delay_ms?: number, detail?: string): void
  onWake(queue: string, listener: (detail: string) => void): () => void
  close(): Promise<void>
}

const CHANNEL = 'gangan_jobs'

/** Other processes are told at most this often: each NOTIFY takes a lock all commits of a server share. */
const NOTIFY_EVERY_MS = 50

/** No name of a queue has it. */
const BETWEEN = '\n'

/** Timers longer than this are left to the poll. */
const LONGEST_TIMER_MS = 5_000

export async function makeWakeups(db: Db): Promise<Wakeups> {
  const local = new EventEmitter()
  local.setMaxListeners(0)
  const announced = new Set<string>()
  const timers = new Set<NodeJS.Timeout>()
  let closed = false

  const look = db.distributed
    ? startClusterPoll(db, (queue, organisation_id) => local.emit(queue, organisation_id))
    : undefined

  const subscription = await listen(db, CHANNEL, (told) => {
    const [queue = '', detail = ''] = told.split(BETWEEN)
    tellHere(queue, detail)
  })

  function later(delay_ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, delay_ms)
    timer.unref()
    timers.add(timer)
  }

  /** On a cluster who wants to claim must know whose it is. */
  function tellHere(queue: string, detail: string): void {
    local.emit(queue, detail)
    if (detail === '') look?.soon()
  }

  /** All that is announced within a time is told by one statement. */
  function announce(queue: string, detail: string): void {
    if (announced.size === 0) later(NOTIFY_EVERY_MS, tellOthers)
    announced.add(`${queue}${BETWEEN}${detail}`)
  }

  function tellOthers(): void {
    const told = [...announced]
    announced.clear()
    if (!closed) notify(db, CHANNEL, told).catch(() => {}) // the poll of the others finds the work
  }

  return {
    wake(queue, delay_ms = 0, detail = '') {
      if (closed || delay_ms > LONGEST_TIMER_MS) return
      if (delay_ms > 0) return later(delay_ms, () => tellHere(queue, detail))
      tellHere(queue, detail)
      announce(queue, detail)
    },
    onWake(queue, listener) {
      local.on(queue, listener)
      return () => local.off(queue, listener)
    },
    async close() {
      closed = true
      look?.close()
      for (const timer of timers) clearTimeout(timer)
      await subscription.close()
    },
  }
}
