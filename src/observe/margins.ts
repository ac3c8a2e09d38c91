/** Money is in ten-thousandths. */
export type MarginFigures = {
  deliveries: number
  pages: number
  revenue: number
  cost: number
  /** Deliveries whose cost is not known. */
  without_cost: number
  /** The part of the revenue that is theirs. */
  revenue_without_cost: number
}

/** What figures belong to; `day` counts from 1970, in UTC, and is that on which the message was accepted. */
export type MarginKey = { organisation_id: string; day: number; carrier: string; country: string; operator: string }

export type MarginRow = MarginKey & MarginFigures

/** Revenue and costs counted in memory. */
export type Margins = {
  note(key: MarginKey, figures: Partial<MarginFigures>): void
  /** Returns and resets everything. */
  drain(): MarginRow[]
}

export function makeMargins(): Margins {
  let rows = new Map<string, MarginRow>()
  return {
    note(key, figures) {
      const name = `${key.organisation_id} ${key.day} ${key.carrier}\n${key.country} ${key.operator}`
      let own = rows.get(name)
      if (!own) rows.set(name, (own = { ...key, ...ZERO }))
      addFigures(own, figures)
    },
    drain() {
      const drained = [...rows.values()]
      rows = new Map()
      return drained
    },
  }
}

const ZERO: MarginFigures = { deliveries: 0, pages: 0, revenue: 0, cost: 0, without_cost: 0, revenue_without_cost: 0 }

export function addFigures(to: MarginFigures, more: Partial<MarginFigures>): void {
  to.deliveries += more.deliveries ?? 0
  to.pages += more.pages ?? 0
  to.revenue += more.revenue ?? 0
  to.cost += more.cost ?? 0
  to.without_cost += more.without_cost ?? 0
  to.revenue_without_cost += more.revenue_without_cost ?? 0
}

const DAY_MS = 86_400_000

export function dayOf(at_ms: number): number {
  return Math.floor(at_ms / DAY_MS)
}

/** As in `2026-11-19`. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}
