import { EventEmitter } from 'node:events'
import type { Db } from '../db/connect.ts'
import { listen, notify } from '../db/listen.ts'
import { startPoll, type Poll } from './poll.ts'

/** Notifies workers, in this and other processes, that a queue has work. A lost wake-up only delays it until the poll. */
export type Wakeups = {
  /** Connections for the statements of the queue. They have one good plan each, which such connections keep. */
  readonly db?: Db
  /** Wakes the workers of a queue, now or after the delay. `detail` is passed to them, for example the organisation. */
  wake(queue: string, delay_ms?: number, detail?: string): void
  /** `polled`: the queue is one of jobs, and the fallback poll wakes the listener as well while some are due. */
  onWake(queue: string, listener: (detail: string) => void, options?: { polled: boolean }): () => void
  close(): Promise<void>
}

const CHANNEL = 'gangan_jobs'

/** Shortest interval between two NOTIFY: each takes a lock that all commits of a server share. */
const NOTIFY_INTERVAL_MS = 50

/** Separates queue and detail; no queue name contains it. */
const SEPARATOR = '\n'

/** Work that is due later than this is left to the poll. */
const LONGEST_TIMER_MS = 5_000

export async function makeWakeups(db: Db): Promise<Wakeups> {
  const local = new EventEmitter()
  local.setMaxListeners(0)
  const announced = new Set<string>()
  const timers = new Set<NodeJS.Timeout>()
  let closed = false

  /** Runs in processes with workers. */
  let poll: Poll | undefined

  const subscription = await listen(db, CHANNEL, (payload) => {
    const [queue = '', detail = ''] = payload.split(SEPARATOR)
    wakeLocal(queue, detail)
  })

  function later(delay_ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, delay_ms)
    timer.unref()
    timers.add(timer)
  }

  function wakeLocal(queue: string, detail: string): void {
    local.emit(queue, detail)
    poll?.noteWork(detail)
  }

  /** One NOTIFY statement for everything within the interval. */
  function announce(queue: string, detail: string): void {
    if (announced.size === 0) later(NOTIFY_INTERVAL_MS, notifyOthers)
    announced.add(`${queue}${SEPARATOR}${detail}`)
  }

  function notifyOthers(): void {
    const payloads = [...announced]
    announced.clear()
    if (!closed) notify(db, CHANNEL, payloads).catch(() => {}) // the fallback polls find the work
  }

  return {
    db,
    wake(queue, delay_ms = 0, detail = '') {
      if (closed || delay_ms > LONGEST_TIMER_MS) return
      if (delay_ms > 0) return later(delay_ms, () => wakeLocal(queue, detail))
      wakeLocal(queue, detail)
      announce(queue, detail)
    },
    onWake(queue, listener, { polled } = { polled: false }) {
      local.on(queue, listener)
      if (polled && !closed) poll ??= startPoll(db, (due, organisation_id) => local.emit(due, organisation_id))
      return () => local.off(queue, listener)
    },
    async close() {
      closed = true
      poll?.close()
      for (const timer of timers) clearTimeout(timer)
      await subscription.close()
    },
  }
}
