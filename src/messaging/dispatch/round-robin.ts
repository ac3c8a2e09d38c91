/** The organisations with pending messages: by priority, and within one in round robin. */
export type RoundRobin = {
  add(priority: number, organisation_id: string): void
  /** The lowest priority number with an organisation. */
  readonly first: number | undefined
  /** The next organisation of a priority, except these; it moves behind the others. `among`: how many there are. */
  next(priority: number, except?: ReadonlySet<string>): { organisation_id: string; among: number } | undefined
  /** Nothing was found for it. An organisation that was added since `next` stays. */
  remove(priority: number, organisation_id: string): void
}

export function makeRoundRobin(): RoundRobin {
  /** By priority; `added` is false from `next` on. A Map keeps insertion order. */
  const pending = new Map<number, Map<string, { added: boolean }>>()

  return {
    add(priority, organisation_id) {
      const queue = pending.get(priority) ?? new Map<string, { added: boolean }>()
      pending.set(priority, queue)
      const known = queue.get(organisation_id)
      if (known) known.added = true
      else queue.set(organisation_id, { added: true })
    },
    get first() {
      let lowest: number | undefined
      for (const [priority, queue] of pending) {
        if (queue.size > 0 && (lowest === undefined || priority < lowest)) lowest = priority
      }
      return lowest
    },
    next(priority, except) {
      const queue = pending.get(priority)
      for (const [organisation_id, entry] of queue ?? []) {
        if (except?.has(organisation_id)) continue
        entry.added = false
        queue?.delete(organisation_id)
        queue?.set(organisation_id, entry)
        return { organisation_id, among: queue?.size ?? 1 }
      }
      return undefined
    },
    remove(priority, organisation_id) {
      const queue = pending.get(priority)
      if (queue?.get(organisation_id)?.added === false) queue.delete(organisation_id)
    },
  }
}
