import type { Change } from '../settle/store.ts'

/** What was reported on one part of a message; a part that was sent twice has two of these. */
export type PartState = {
  part: number
  status: Change['status'] | null
  code: string | null
  description: string | null
}

type Verdict = Pick<Change, 'status' | 'code' | 'description'>

/**
 * What the parts of a message say together, or undefined while they do not. A text that lacks a part cannot be read, so
 * the first part that did not arrive decides at once; `delivered` needs them all. `rejected` gives the money back and so
 * needs them all, too: a message that was carried in part is `undelivered`.
 */
export function judgeParts(parts: number, states: readonly PartState[]): Verdict | undefined {
  const best = new Map<number, PartState>()
  for (const state of states) {
    const before = best.get(state.part)
    if (!before || rank(state) > rank(before)) best.set(state.part, state)
  }
  const ended = [...best.values()].flatMap(({ status, code, description }) =>
    status === null ? [] : [{ status, code, description }],
  )
  const of = (status: Change['status']): Verdict[] => ended.filter((one) => one.status === status)

  const [lost] = [...of('undelivered'), ...of('expired')]
  if (lost) return lost
  const [rejected] = of('rejected')
  if (rejected && ended.length > of('rejected').length) return { ...rejected, status: 'undelivered' }
  if (ended.length < parts) return undefined
  return rejected ?? of('unknown')[0] ?? of('delivered')[0]
}

/** A part that was sent again has arrived if either has, and has not failed while one is on its way. */
function rank({ status }: PartState): number {
  if (status === 'delivered') return 2
  return status === null ? 1 : 0
}
