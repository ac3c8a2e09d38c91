import { Refusal } from '../../values/refusal.ts'
import { keysOf } from '../../values/record.ts'

/** An open event stream. */
export type LiveConnection = { session_id: string; user_id: string; organisation_id: string | null; end: () => void }

export type LiveConnections = {
  /**
   * Adds a stream, or throws if its session, user or organisation has its maximum. When all are in use, an organisation
   * with most of them loses its newest to one with fewer.
   */
  take(connection: LiveConnection): void
  leave(connection: LiveConnection): void
  all(): Iterable<LiveConnection>
}

const SHARES = { session_id: 6, user_id: 24, organisation_id: 100 } as const
const MOST = 500
const COME_BACK_S = 10

/** The open event streams of this process. Operators count as one organisation. */
export function makeLiveConnections(most = MOST): LiveConnections {
  const taken = new Set<LiveConnection>()

  function makeRoom({ organisation_id }: LiveConnection): boolean {
    const sizes = new Map<string | null, number>()
    for (const connection of taken)
      sizes.set(connection.organisation_id, (sizes.get(connection.organisation_id) ?? 0) + 1)
    const [largest] = [...sizes].toSorted(([, a], [, b]) => b - a)
    if (!largest || largest[1] <= (sizes.get(organisation_id) ?? 0) + 1) return false
    const newest = [...taken].findLast((connection) => connection.organisation_id === largest[0])
    if (newest) taken.delete(newest)
    newest?.end()
    return true
  }

  return {
    take(connection) {
      const over = keysOf(SHARES).some((whose) => {
        let size = 0
        for (const other of taken) if (other[whose] === connection[whose]) size += 1
        return size >= SHARES[whose]
      })
      if (over || (taken.size >= most && !makeRoom(connection))) {
        throw new Refusal('too_many_requests', 'Too many pages are open.', [], COME_BACK_S)
      }
      taken.add(connection)
    },
    leave: (connection) => void taken.delete(connection),
    all: () => [...taken],
  }
}
