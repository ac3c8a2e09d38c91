/** A rule of one target: from when it applies, in milliseconds since 1970, and its price; null: none from then on. */
export type Entry = { id: string; from_ms: number; price: bigint | null }

/** A price that a change sets for one target. */
export type Wanted = { from_ms: number; price: bigint | null }

export type ChangeKind = 'added' | 'raised' | 'lowered' | 'removed'

export type Step = Wanted & { kind: ChangeKind; before: bigint | null }

export type TimelineChange = {
  /** What to insert. */
  add: Step[]
  /** Rules of the future that are replaced. */
  withdraw: Entry[]
  unchanged: number
}

/**
 * How a target's rules change so that the wanted prices apply. Of prices in the past the latest applies from now: what was
 * charged stays. `complete_from_ms`: the wanted prices are all that there are from then on; without it, other prices of
 * the future stay as they are.
 */
export function changeTimeline(
  entries: readonly Entry[],
  wanted: readonly Wanted[],
  now_ms: number,
  complete_from_ms = Infinity,
): TimelineChange {
  const by_time = new Map<number, Wanted>()
  for (const { from_ms, price } of wanted.toSorted((a, b) => a.from_ms - b.from_ms)) {
    const at = Math.max(from_ms, now_ms)
    by_time.set(at, { from_ms: at, price })
  }
  const given = [...by_time.values()]
  const complete_from = Math.max(complete_from_ms, now_ms)
  // Those at the moment of a wanted price are compared with it below.
  const withdraw = entries.filter(
    ({ from_ms }) => from_ms > now_ms && from_ms >= complete_from && !by_time.has(from_ms),
  )
  const kept = entries.filter((entry) => !withdraw.includes(entry))
  const timeline: Wanted[] = [...kept]
  const add: Step[] = []
  let unchanged = 0

  function put(one: Wanted): void {
    const exact = kept.find((entry) => entry.from_ms === one.from_ms)
    const before = priceAt(timeline, one.from_ms)
    if (before === one.price) {
      unchanged += 1
      return
    }
    if (exact) {
      withdraw.push(exact)
      timeline.splice(timeline.indexOf(exact), 1)
    }
    timeline.push(one)
    add.push({ ...one, kind: kindOf(before, one.price), before })
  }

  for (const one of given) put(one)
  if (given.length === 0 && Number.isFinite(complete_from) && priceAt(timeline, complete_from) !== null) {
    put({ from_ms: complete_from, price: null })
  }
  return { add, withdraw, unchanged }
}

/** Of the entries that have begun, the latest. */
export function priceAt(entries: readonly Wanted[], at_ms: number): bigint | null {
  let best: Wanted | undefined
  for (const entry of entries) if (entry.from_ms <= at_ms && !(best && best.from_ms > entry.from_ms)) best = entry
  return best?.price ?? null
}

function kindOf(before: bigint | null, after: bigint | null): ChangeKind {
  if (after === null) return 'removed'
  if (before === null) return 'added'
  return after > before ? 'raised' : 'lowered'
}
