/** How long one piece of the work may hold the event loop. */
const SLICE_MS = 2
/**
 * How long other work runs in between. After `setImmediate` it would be one iteration of the event loop, and a request takes
 * several: it would wait for a slice in each of them.
 */
const REST_MS = 1

/** Slices of long work: `if (slices.isOver()) await slices.rest()` between its items. */
export type Slices = {
  isOver(): boolean
  rest(): Promise<void>
}

/** Divides long work in memory by time, so that requests are served meanwhile. */
export function makeSlices(now: () => number = () => performance.now()): Slices {
  let until = now() + SLICE_MS
  return {
    isOver: () => now() >= until,
    async rest() {
      await new Promise((resolve) => setTimeout(resolve, REST_MS))
      until = now() + SLICE_MS
    },
  }
}
