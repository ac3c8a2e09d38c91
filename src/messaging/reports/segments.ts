import type { Change } from '../settle/store.ts'

/** The reported state of one segment of a message; a segment that was sent twice has two. */
export type SegmentState = {
  segment: number
  status: Change['status'] | null
  code: string | null
  description: string | null
}

type Verdict = Pick<Change, 'status' | 'code' | 'description'>

/**
 * The state of a message from the states of its segments; undefined while it is open. One lost segment makes the text
 * unreadable, so the first failure decides; `delivered` needs all segments. `rejected` is refunded, so it needs all
 * segments, too: a message that was carried in part is `undelivered`.
 */
export function judgeSegments(segments: number, states: readonly SegmentState[]): Verdict | undefined {
  const best = new Map<number, SegmentState>()
  for (const state of states) {
    const before = best.get(state.segment)
    if (!before || rank(state) > rank(before)) best.set(state.segment, state)
  }
  const ended = [...best.values()].flatMap(({ status, code, description }) =>
    status === null ? [] : [{ status, code, description }],
  )
  const of = (status: Change['status']): Verdict[] => ended.filter((one) => one.status === status)

  const [lost] = [...of('undelivered'), ...of('expired')]
  if (lost) return lost
  const [rejected] = of('rejected')
  if (rejected && ended.length > of('rejected').length) return { ...rejected, status: 'undelivered' }
  if (ended.length < segments) return undefined
  return rejected ?? of('unknown')[0] ?? of('delivered')[0]
}

/** A segment that was sent twice is delivered if either copy is, and open while either copy is. */
function rank({ status }: SegmentState): number {
  if (status === 'delivered') return 2
  return status === null ? 1 : 0
}
