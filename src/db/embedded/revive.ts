import type { Postmaster } from './postmaster.ts'
import { describeProcess } from './process.ts'

export type Revival = {
  /** The current postmaster. */
  postmaster(): Postmaster
  /** Stops watching; resolves when a restart in progress has ended. */
  stop(): Promise<void>
}

/** PostgreSQL ended unexpectedly: it was restarted, or the restart failed and is retried. */
export type NoteRevival = (event: { postgres_pid: number } | { fault: unknown; again_in_ms: number }) => void

const CHECK_INTERVAL_MS = 500
const MAX_BACKOFF_MS = 30_000

/**
 * Restarts PostgreSQL when it ends unexpectedly: killed for lack of memory, by mistake, or by a crash. The address stays
 * the same, so pools reconnect.
 */
export function keepAlive(first: Postmaster, start: () => Promise<Postmaster>, note: NoteRevival): Revival {
  let postmaster = first
  let running = true
  let wait_ms = CHECK_INTERVAL_MS
  let timer = setTimeout(check, CHECK_INTERVAL_MS)
  let reviving: Promise<void> = Promise.resolve()
  timer.unref()

  function check(): void {
    reviving = revive().finally(() => {
      if (!running) return
      timer = setTimeout(check, wait_ms)
      timer.unref()
    })
  }

  async function revive(): Promise<void> {
    if (describeProcess(postmaster.pid)?.started === postmaster.started) return
    try {
      postmaster = await start()
      wait_ms = CHECK_INTERVAL_MS
      note({ postgres_pid: postmaster.pid })
    } catch (fault) {
      wait_ms = Math.min(MAX_BACKOFF_MS, 2 * wait_ms)
      note({ fault, again_in_ms: wait_ms })
    }
  }

  return {
    postmaster: () => postmaster,
    async stop() {
      running = false
      clearTimeout(timer)
      await reviving
    },
  }
}
