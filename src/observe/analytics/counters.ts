import {
  addCounted,
  MAX_VALUE_CHARACTERS,
  MAX_VALUES,
  zeroCounts,
  OTHER,
  type ALL,
  type Counted,
  type Dimension,
} from './figures.ts'

/** A quarter of an hour: hours and days begin with one in every time zone. */
export const SLOT_MS = 900_000

/** Counts by start of the slot, dimension and value. */
export type Counts = Map<number, Map<Dimension | typeof ALL, Map<string, Counted>>>

export type Analytics = {
  /** Adds to the counts of the slot in which the message was accepted. */
  note(
    organisation_id: string,
    at_ms: number,
    dimension: Dimension | typeof ALL,
    value: string,
    counted: Partial<Counted>,
  ): void
  /** Returns and resets all counts. */
  drain(): Map<string, Counts>
}

/** Counts in memory, with at most as many values as an hour stores. */
export function makeAnalytics(): Analytics {
  let by_organisation = new Map<string, Counts>()
  return {
    note(organisation_id, at_ms, dimension, value, counted) {
      const counts = mapIn(by_organisation, organisation_id)
      const values = mapIn(mapIn(counts, Math.floor(at_ms / SLOT_MS) * SLOT_MS), dimension)
      let own = values.get(value)
      if (!own) {
        const name = values.size < MAX_VALUES ? keptName(value) : OTHER
        own = values.get(name) ?? zeroCounts()
        values.set(name, own)
      }
      addCounted(own, counted)
    },
    drain() {
      const drained = by_organisation
      by_organisation = new Map()
      return drained
    },
  }
}

/** Error codes are defined by carriers and have no length limit. */
function keptName(value: string): string {
  return value.length <= MAX_VALUE_CHARACTERS ? value : Array.from(value).slice(0, MAX_VALUE_CHARACTERS).join('')
}

function mapIn<K, L, V>(maps: Map<K, Map<L, V>>, key: K): Map<L, V> {
  let own = maps.get(key)
  if (!own) maps.set(key, (own = new Map<L, V>()))
  return own
}
