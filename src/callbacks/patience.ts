import type { PostOutcome } from './post.ts'

/** How many posts an endpoint may have under way at once, by how it has behaved. */
export type Patience = {
  limit: (lane: string) => number
  learn: (lane: string, delivered: boolean, outcome: PostOutcome) => void
}

const AT_FIRST = 8
const AT_MOST = 32
/** An endpoint that fails is tried one post at a time, so that a thousand dead ones still leave room for the living. */
const AT_LEAST = 1
/** An answer that took longer than this does not earn more posts at once. */
const PROMPT_MS = 1_000
/** Endpoints remembered; more than this and all start afresh. */
const REMEMBERED = 50_000

export function makePatience(): Patience {
  const limits = new Map<string, number>()
  const limit = (lane: string): number => limits.get(lane) ?? AT_FIRST
  return {
    limit,
    learn(lane, delivered, { duration_ms }) {
      if (limits.size > REMEMBERED) limits.clear()
      if (!delivered) limits.set(lane, Math.max(AT_LEAST, Math.floor(limit(lane) / 2)))
      else if (duration_ms < PROMPT_MS) limits.set(lane, Math.min(AT_MOST, limit(lane) + 1))
    },
  }
}
