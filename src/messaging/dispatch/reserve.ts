import type { LeasedRow } from '../intake/leased-row.ts'

/** Who hands messages of a route to a carrier in this process, and may be given a row of the intake without a claim. */
export type ReservingSubmitter = {
  /** Keeps places for so many deliveries, if there are any and nothing waits that goes before them. */
  reserve(wanted: { priority: number; size: number }): boolean
  /** The row that places were kept for, stored as in hand; without one they are given up. */
  startReserved(size: number, row: LeasedRow | undefined): void
}

/** The hands of every route that has some in this process. */
export type SubmittersOf = (route: string) => readonly ReservingSubmitter[]
