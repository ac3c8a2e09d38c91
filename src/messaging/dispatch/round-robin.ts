/** Who has something that waits, in the order in which they get their turn: by priority, then one after the other. */
export type Turns = {
  add(priority: number, organisation_id: string): void
  /** The lowest priority number that has anybody. */
  readonly first: number | undefined
  /** The next of a priority, but for these, who then goes behind the others; `among` is how many there are. */
  next(priority: number, except?: ReadonlySet<string>): { organisation_id: string; among: number } | undefined
  /** Nothing was found; what was added since `next` stays. */
  remove(priority: number, organisation_id: string): void
  has(organisation_id: string): boolean
}

export function makeTurns(): Turns {
  /** By priority; whether they were added since their last turn. Maps keep the order of adding. */
  const waiting = new Map<number, Map<string, { added: boolean }>>()

  function first(): number | undefined {
    let lowest: number | undefined
    for (const [priority, line] of waiting) {
      if (line.size > 0 && (lowest === undefined || priority < lowest)) lowest = priority
    }
    return lowest
  }

  return {
    add(priority, organisation_id) {
      const line = waiting.get(priority) ?? new Map<string, { added: boolean }>()
      waiting.set(priority, line)
      const known = line.get(organisation_id)
      if (known) known.added = true
      else line.set(organisation_id, { added: true })
    },
    get first() {
      return first()
    },
    next(priority, except) {
      const line = waiting.get(priority)
      for (const [organisation_id, place] of line ?? []) {
        if (except?.has(organisation_id)) continue
        place.added = false
        line?.delete(organisation_id)
        line?.set(organisation_id, place)
        return { organisation_id, among: line?.size ?? 1 }
      }
      return undefined
    },
    remove(priority, organisation_id) {
      const line = waiting.get(priority)
      if (line?.get(organisation_id)?.added === false) line.delete(organisation_id)
    },
    has: (organisation_id) => [...waiting.values()].some((line) => line.has(organisation_id)),
  }
}
