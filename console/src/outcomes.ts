import { useSyncExternalStore } from 'react'
import { ApiError } from './api.ts'
import { isAway, untilBack } from './connection.ts'

/** What became of a request whose answer was lost with the connection. */
export type Outcome = {
  id: number
  what: string
  since: Date
  state: 'unknown' | 'done' | 'refused' | 'given up'
  /** Why it was refused. */
  reason?: string
}

/** The person is not there any more, or the moment has passed: a message that late may be unwanted. */
const REPEATS_FOR_MS = 600_000
/** Refusals in a row while the service is there. */
const MOST_REFUSALS = 5
const MOST_SHOWN = 5

let outcomes: readonly Outcome[] = []
let next_id = 1
/** Requests of an earlier user are not repeated in the name of the next one. */
let user = 0
const listeners = new Set<() => void>()

/**
 * Repeats a write that can be repeated safely (it has an idempotency key) until the service answers it, and reports
 * what became of it if the connection was lost in between.
 */
export async function untilAnswered<T>(what: string, write: () => Promise<T>): Promise<T> {
  const since = new Date()
  const by = user
  let id: number | undefined
  let refusals = 0
  for (;;) {
    try {
      const answer = await write()
      if (id !== undefined) report(id, { state: 'done' })
      return answer
    } catch (fault) {
      const is_open = fault instanceof ApiError && (isUnanswered(fault) || (id !== undefined && fault.status === 409))
      refusals = is_open && !isAway() ? refusals + 1 : 0
      if (!is_open || refusals > MOST_REFUSALS) {
        if (id !== undefined) report(id, ending(fault))
        throw fault
      }
      if (id === undefined) {
        id = next_id++
        show([...outcomes, { id, what, since, state: 'unknown' as const }].slice(-MOST_SHOWN))
      }
      await untilBack(since.getTime() + REPEATS_FOR_MS - Date.now())
      if (by !== user || Date.now() - since.getTime() >= REPEATS_FOR_MS) {
        report(id, { state: 'given up' })
        throw fault
      }
    }
  }
}

/** A session that has ended says nothing about the request. */
function ending(fault: unknown): Partial<Outcome> {
  if (fault instanceof ApiError && (fault.status === 401 || isUnanswered(fault))) return { state: 'given up' }
  return { state: 'refused', reason: fault instanceof Error ? fault.message : '' }
}

/** No answer, or one of a proxy, or of a service without its database: it may have been carried out. */
function isUnanswered({ status }: ApiError): boolean {
  return status === 0 || status === 502 || status === 503 || status === 504
}

export function useOutcomes(): readonly Outcome[] {
  return useSyncExternalStore(subscribe, () => outcomes)
}

/** Another user has signed in, or this one has left. */
export function forgetOutcomes(): void {
  user += 1
  show([])
}

export function dismissOutcome(id: number): void {
  show(outcomes.filter((each) => each.id !== id))
}

function report(id: number, part: Partial<Outcome>): void {
  show(outcomes.map((each) => (each.id === id ? { ...each, ...part } : each)))
}

function show(next: readonly Outcome[]): void {
  outcomes = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
