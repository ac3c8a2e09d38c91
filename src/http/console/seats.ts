import { Refusal } from '../../values/refusal.ts'

/** A page that listens: whose it is, and how it is let go. */
export type Seat = { session_id: string; user_id: string; organisation_id: string | null; end: () => void }

export type Seats = {
  /** Refuses who has their share already. When all are taken, who has most of them makes room for who has fewer. */
  take(seat: Seat): void
  leave(seat: Seat): void
  all(): Iterable<Seat>
}

const SHARES = { session_id: 6, user_id: 24, organisation_id: 100 } as const
const MOST = 500
const COME_BACK_S = 10

/** The open pages of this process. Operators count as one organisation. */
export function makeSeats(most = MOST): Seats {
  const taken = new Set<Seat>()

  function makeRoom({ organisation_id }: Seat): boolean {
    const sizes = new Map<string | null, number>()
    for (const seat of taken) sizes.set(seat.organisation_id, (sizes.get(seat.organisation_id) ?? 0) + 1)
    const [largest] = [...sizes].toSorted(([, a], [, b]) => b - a)
    if (!largest || largest[1] <= (sizes.get(organisation_id) ?? 0) + 1) return false
    const newest = [...taken].findLast((seat) => seat.organisation_id === largest[0])
    if (newest) taken.delete(newest)
    newest?.end()
    return true
  }

  return {
    take(seat) {
      const over = (Object.keys(SHARES) as (keyof typeof SHARES)[]).some((whose) => {
        let size = 0
        for (const other of taken) if (other[whose] === seat[whose]) size += 1
        return size >= SHARES[whose]
      })
      if (over || (taken.size >= most && !makeRoom(seat))) {
        throw new Refusal('too_many_requests', 'Too many pages are open.', [], COME_BACK_S)
      }
      taken.add(seat)
    },
    leave: (seat) => void taken.delete(seat),
    all: () => [...taken],
  }
}
