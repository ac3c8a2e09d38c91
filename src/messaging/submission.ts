import type { Cost } from '../carriers/costs.ts'
import type { Change } from './settle/store.ts'

/** Accepted by a carrier, under these ids. */
export type Sent<Delivery> = {
  delivery: Delivery
  carrier: string
  ids: readonly string[]
  report_due_s: number
  cost?: Cost | undefined
}

/** Not accepted: it waits in a queue for its next attempt, or it has ended. */
export type Unsent<Delivery> = {
  delivery: Delivery
  queue?: string | undefined
  /** Undefined: as soon as there is capacity. */
  delay_ms?: number | undefined
  /** Attempts made; undefined: this one does not count. */
  attempts?: number | undefined
  /** The carrier that rejected it, where it goes to the next one. */
  tried?: string | undefined
  /** The carrier that may have it from this or an earlier attempt. */
  possible_carrier?: string | undefined
  /** The final state, where it has one. */
  end?: Pick<Change, 'status' | 'code' | 'description' | 'billed'> | undefined
}

const SEPARATOR = '\u001f'

/** The ids of one delivery for `store_submissions`. An id that contains the separator does not become two segments. */
export function joinIds(ids: readonly string[]): string {
  return ids.length === 1 ? withoutSeparator(ids[0] ?? '') : ids.map(withoutSeparator).join(SEPARATOR)
}

function withoutSeparator(id: string): string {
  return id.includes(SEPARATOR) ? id.replaceAll(SEPARATOR, '') : id
}
