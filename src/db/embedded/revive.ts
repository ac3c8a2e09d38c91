import type { Postmaster } from './postmaster.ts'
import { describeProcess } from './process.ts'

export type Revival = {
  /** The postmaster of the moment. */
  postmaster(): Postmaster
  /** Looks no more; resolves when a start that is under way has come to its end. */
  stop(): Promise<void>
}

/** What became of a PostgreSQL that ended under us: it runs again, or why it does not yet. */
export type NoteRevival = (event: { postgres_pid: number } | { fault: unknown; again_in_ms: number }) => void

const LOOK_EVERY_MS = 250
const LONGEST_WAIT_MS = 30_000

/**
 * Starts PostgreSQL again when it ends without having been told to: killed for lack of memory, by mistake, or by a
 * crash. The address stays the same, so connections come back by themselves.
 */
export function keepAlive(first: Postmaster, start: () => Promise<Postmaster>, note: NoteRevival): Revival {
  let postmaster = first
  let running = true
  let wait_ms = LOOK_EVERY_MS
  let timer = setTimeout(look, LOOK_EVERY_MS)
  let reviving: Promise<void> = Promise.resolve()
  timer.unref()

  function look(): void {
    reviving = revive().finally(() => {
      if (!running) return
      timer = setTimeout(look, wait_ms)
      timer.unref()
    })
  }

  async function revive(): Promise<void> {
    if (describeProcess(postmaster.pid)?.started === postmaster.started) return
    try {
      postmaster = await start()
      wait_ms = LOOK_EVERY_MS
      note({ postgres_pid: postmaster.pid })
    } catch (fault) {
      wait_ms = Math.min(LONGEST_WAIT_MS, 2 * wait_ms)
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
