import type { Change } from '../settle/store.ts'

/** What was reported on one segment of a message; a segment that was sent twice has two of these. */
export type SegmentState = {
  segment: number
  status: Change['status'] | null
  code: string | null
  description: string | null
}

type Verdict = Pick<Change, 'status' | 'code' | 'description'>

/**
 * What the segments of a message say together, or undefined while they do not. A text that lacks a segment cannot be
 * read, so the first one that did not arrive decides at once; `delivered` needs them all. `rejected` gives the money back
 * and so needs them all, too: a message that was carried in part is `undelivered`.
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

/** A segment that was sent again has arrived if either has, and has not failed while one is on its way. */
function rank({ status }: SegmentState): number {
  if (status === 'delivered') return 2
  return status === null ? 1 : 0
}
