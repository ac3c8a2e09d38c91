import type { HeldRow } from '../intake/held-row.ts'

/** Who hands messages of a route to a carrier in this process, and may be given a row of the intake without a claim. */
export type DispatchHands = {
  /** Keeps places for so many deliveries, if there are any and nothing waits that goes before them. */
  reserve(wanted: { priority: number; size: number }): boolean
  /** The row that places were kept for, stored as in hand; without one they are given up. */
  take(size: number, row: HeldRow | undefined): void
}

/** The hands of every route that has some in this process. */
export type HandsOf = (route: string) => readonly DispatchHands[]
