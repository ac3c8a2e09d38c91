import type { PostOutcome } from './post.ts'

/** How many posts an endpoint may have under way at once, by how it has behaved. */
export type Patience = {
  /** Callbacks of the endpoint this process may have in hand: those under way and some that wait behind them. */
  limit: (lane: string) => number
  /** Waits for the endpoint's turn; `leave` gives the turn to the next. */
  enter: (lane: string) => Promise<void>
  leave: (lane: string) => void
  learn: (lane: string, delivered: boolean, outcome: PostOutcome) => void
}

const AT_FIRST = 8
const AT_MOST = 32
/** An endpoint that fails is tried one post at a time, so that a thousand dead ones still leave room for the living. */
const AT_LEAST = 1
/** Callbacks that wait in this process for each that is under way; an endpoint that takes many at once has more. */
const BEHIND_EACH = 8
/** An answer that took longer than this does not earn more posts at once. */
const PROMPT_MS = 1_000
/** Endpoints remembered; more than this and all start afresh. */
const REMEMBERED = 50_000

export function makePatience(): Patience {
  const limits = new Map<string, number>()
  const lines = new Map<string, { under_way: number; waiting: (() => void)[] }>()
  const limit = (lane: string): number => limits.get(lane) ?? AT_FIRST

  function serve(lane: string): void {
    const line = lines.get(lane)
    if (!line) return
    while (line.under_way < limit(lane)) {
      const next = line.waiting.shift()
      if (!next) break
      line.under_way += 1
      next()
    }
    if (line.under_way === 0 && line.waiting.length === 0) lines.delete(lane)
  }

  return {
    limit: (lane) => Math.max(BEHIND_EACH, 2 * limit(lane)) * limit(lane),
    enter: (lane) =>
      new Promise((resolve) => {
        const line = lines.get(lane) ?? { under_way: 0, waiting: [] }
        lines.set(lane, line)
        line.waiting.push(resolve)
        serve(lane)
      }),
    leave(lane) {
      const line = lines.get(lane)
      if (line) line.under_way -= 1
      serve(lane)
    },
    learn(lane, delivered, { duration_ms }) {
      if (limits.size > REMEMBERED) limits.clear()
      if (!delivered) limits.set(lane, Math.max(AT_LEAST, Math.floor(limit(lane) / 2)))
      else if (duration_ms < PROMPT_MS) limits.set(lane, Math.min(AT_MOST, limit(lane) + 1))
    },
  }
}
