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
  const given = inForce(wanted, now_ms)
  const complete_from = Math.max(complete_from_ms, now_ms)
  const change: TimelineChange = { add: [], withdraw: [], unchanged: 0 }
  const kept: Entry[] = []
  for (const entry of entries) {
    const { from_ms } = entry
    // Those at the moment of a wanted price are compared with it below.
    const is_replaced = from_ms > now_ms && from_ms >= complete_from && findAt(given, from_ms) === undefined
    ;(is_replaced ? change.withdraw : kept).push(entry)
  }
  const timeline: Wanted[] = [...kept]
  for (const one of given) put(change, { kept, timeline }, one)
  if (given.length === 0 && Number.isFinite(complete_from) && priceAt(timeline, complete_from) !== null) {
    put(change, { kept, timeline }, { from_ms: complete_from, price: null })
  }
  return change
}

/** The wanted prices in their order, the latest of those in the past as of now. */
function inForce(wanted: readonly Wanted[], now_ms: number): Wanted[] {
  const given: Wanted[] = []
  for (const { from_ms, price } of wanted.length > 1 ? wanted.toSorted(byTime) : wanted) {
    const one = { from_ms: Math.max(from_ms, now_ms), price }
    if (given.at(-1)?.from_ms === one.from_ms) given.pop()
    given.push(one)
  }
  return given
}

const byTime = (a: Wanted, b: Wanted): number => a.from_ms - b.from_ms

function put(
  change: TimelineChange,
  { kept, timeline }: { kept: readonly Entry[]; timeline: Wanted[] },
  one: Wanted,
): void {
  const before = priceAt(timeline, one.from_ms)
  if (before === one.price) {
    change.unchanged += 1
    return
  }
  const exact = findAt(kept, one.from_ms)
  if (exact) {
    change.withdraw.push(exact)
    timeline.splice(timeline.indexOf(exact), 1)
  }
  timeline.push(one)
  change.add.push({ ...one, kind: kindOf(before, one.price), before })
}

function findAt<E extends Wanted>(entries: readonly E[], at_ms: number): E | undefined {
  for (const entry of entries) if (entry.from_ms === at_ms) return entry
  return undefined
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
