/** A request, until it is stored. */
export type Call = {
  request_id: string
  method: string
  path: string
  status: number
  ms: number
  key_id: string | null
  body: string | undefined
  answer: string | undefined
  /** Milliseconds since 1970, by this process's clock. */
  answered_ms: number
}

export type Burst = { seen: number; calls: Call[] }

export type RequestSampler = {
  /** Samples a request. `describe` is called only if it is kept. */
  note(organisation_id: string, status: number, describe: () => Call): void
  /** Returns and clears the sample. */
  drain(): Map<string, Burst>
}

/** Sample size per organisation and write. */
const MOST_OF_ONE = 20
/** Sample size of all organisations, which bounds the cost of the log. */
const MOST_OF_ALL = 400

/**
 * Reservoir sampler of the request log: keeps a bounded sample of the requests since the last write, failures before
 * successes, with an equal share per organisation.
 */
export function makeRequestSampler(random: () => number = Math.random): RequestSampler {
  let bursts = new Map<string, Burst>()
  let most = MOST_OF_ONE
  let kept = 0

  return {
    note(organisation_id, status, describe) {
      let own = bursts.get(organisation_id)
      if (!own) bursts.set(organisation_id, (own = { seen: 0, calls: [] }))
      own.seen += 1
      if (own.calls.length < most && kept < MOST_OF_ALL) {
        kept += 1
        own.calls.push(describe())
      } else {
        const place = placeFor(own, status, random)
        if (place !== undefined) own.calls[place] = describe()
      }
    },
    drain() {
      const drained = bursts
      bursts = new Map()
      kept = 0
      // The next second is expected to have as many organisations as the last.
      most = Math.max(1, Math.min(MOST_OF_ONE, Math.floor(MOST_OF_ALL / Math.max(1, drained.size))))
      return drained
    },
  }
}

function placeFor({ seen, calls }: Burst, status: number, random: () => number): number | undefined {
  if (isFailure(status)) {
    const success = calls.findIndex((call) => !isFailure(call.status))
    if (success >= 0) return success
  }
  const place = Math.floor(random() * seen)
  const there = calls[place]
  return there && isFailure(there.status) === isFailure(status) ? place : undefined
}

export function isFailure(status: number): boolean {
  return status >= 400
}
