import type { Socket } from 'node:net'

/**
 * Reads no more from a connection than so many PDUs a second, whatever they are: one that floods waits, in its own
 * buffers, and costs the others nothing. PDUs that came in one piece beyond that are a debt, and paid off before more
 * is read.
 */
export function makeBrake(socket: Pick<Socket, 'pause' | 'resume'>): Brake {
  let budget = BEFORE_BIND
  let counted = 0
  let paused = false
  let timer: NodeJS.Timeout | undefined

  function next(): void {
    timer = undefined
    counted = Math.max(0, counted - budget)
    if (counted > 0) timer = setTimeout(next, SLICE_MS)
    if (paused && counted <= budget) {
      paused = false
      socket.resume()
    }
  }

  return {
    count() {
      counted += 1
      timer ??= setTimeout(next, SLICE_MS)
      if (counted <= budget || paused) return
      paused = true
      socket.pause()
    },
    allow(rate_per_s) {
      budget = Math.max(LEAST, Math.ceil((rate_per_s * PER_SUBMIT * SLICE_MS) / 1_000))
    },
    stop: () => clearTimeout(timer),
  }
}

export type Brake = {
  count(): void
  /** Once it is known whose it is: its submits, and what else goes with them. */
  allow(rate_per_s: number): void
  stop(): void
}

const SLICE_MS = 100
/** PDUs of a slice. */
const BEFORE_BIND = 10
const LEAST = 50
/** For each submit there may be an answer to its report, and some to spare for what is refused. */
const PER_SUBMIT = 4
