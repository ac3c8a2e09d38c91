import { makePace } from '../session/pace.ts'

/** What an account may send in all, in segments per second, shared by its binds. */
export type AccountRate = {
  /** Waits until so many segments may go. `share` is the part of the account's binds that this process holds. */
  turn(segments: number, share: number): Promise<void>
}

/** Each process keeps to its share, so that together they keep to the contract without asking each other. */
export function makeAccountRate(rate: number | null): AccountRate {
  if (rate === null) return { turn: () => Promise.resolve() }
  let pace = makePace(rate)
  let paced_for = 1
  let line = Promise.resolve()

  async function wait(segments: number, share: number): Promise<void> {
    if (share !== paced_for && share > 0) {
      paced_for = share
      pace = makePace((rate ?? 0) * share)
    }
    for (;;) {
      const wait_ms = pace.take(segments, Date.now())
      if (wait_ms === 0) return
      await new Promise((resolve) => setTimeout(resolve, wait_ms))
    }
  }

  return {
    turn(segments, share) {
      line = line.then(() => wait(segments, share))
      return line
    },
  }
}
