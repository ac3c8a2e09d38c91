import {
  addCounted,
  LONGEST_VALUE,
  MOST_VALUES,
  nothingCounted,
  OTHER,
  type ALL,
  type Counted,
  type Dimension,
} from './figures.ts'

/** A quarter of an hour: whatever its time zone, an hour or a day of an organisation begins with one. */
export const SLOT_MS = 900_000

/** By the beginning of a slot, then by dimension, then by value. */
export type Tallied = Map<number, Map<Dimension | typeof ALL, Map<string, Counted>>>

export type Analytics = {
  /** Adds to what became of what was accepted at a moment. */
  note(
    organisation_id: string,
    at_ms: number,
    dimension: Dimension | typeof ALL,
    value: string,
    counted: Partial<Counted>,
  ): void
  /** Everything since the last time. */
  drain(): Map<string, Tallied>
}

/** Maps in memory: counting costs no statement, and no more values are held than an hour keeps. */
export function makeAnalytics(): Analytics {
  let tallies = new Map<string, Tallied>()
  return {
    note(organisation_id, at_ms, dimension, value, counted) {
      const tallied = mapIn(tallies, organisation_id)
      const values = mapIn(mapIn(tallied, Math.floor(at_ms / SLOT_MS) * SLOT_MS), dimension)
      let own = values.get(value)
      if (!own) {
        const name = values.size < MOST_VALUES ? keptName(value) : OTHER
        own = values.get(name) ?? nothingCounted()
        values.set(name, own)
      }
      addCounted(own, counted)
    },
    drain() {
      const drained = tallies
      tallies = new Map()
      return drained
    },
  }
}

/** Codes are the carriers' own words, and as long as they like. */
function keptName(value: string): string {
  return value.length <= LONGEST_VALUE ? value : Array.from(value).slice(0, LONGEST_VALUE).join('')
}

function mapIn<K, L, V>(maps: Map<K, Map<L, V>>, key: K): Map<L, V> {
  let own = maps.get(key)
  if (!own) maps.set(key, (own = new Map<L, V>()))
  return own
}
