import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { abandonFlights } from './in-flight.ts'

/** Since when the service has not answered, and whether it is itself or its database that is away. */
export type Away = { since: Date; what: 'service' | 'database' }

/** Interval and timeout of the health check: together they detect an outage within five seconds. */
const EVERY_MS = 2_000
const PATIENCE_MS = 3_000

let away: Away | undefined
const listeners = new Set<() => void>()
const waiting_for_it = new Set<() => void>()

/** Undefined while the service answers. What is on the page is then as it was, not as it is. */
export function useAway(): Away | undefined {
  return useSyncExternalStore(subscribe, () => away)
}

export function isAway(): boolean {
  return away !== undefined
}

/** Resolves at the next health check that finds the service, or when this time is over. */
export async function untilBack(at_most_ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const over = setTimeout(done, at_most_ms)
    function done() {
      clearTimeout(over)
      waiting_for_it.delete(done)
      resolve()
    }
    waiting_for_it.add(done)
  })
}

/** Polls the health of the service while the page is visible, and refetches everything once it is back. */
export function useConnectionWatch(): void {
  const client = useQueryClient()
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined
    let latest = 0
    async function watch() {
      clearTimeout(waiting)
      latest += 1
      const mine = latest
      const was_away = away !== undefined
      const is_asked = !document.hidden
      note(is_asked ? await ask() : away?.what)
      if (was_away && away === undefined) {
        abandonFlights(PATIENCE_MS)
        void client.invalidateQueries()
      }
      if (is_asked && away === undefined) for (const resolve of waiting_for_it) resolve()
      if (mine === latest) waiting = setTimeout(() => void watch(), EVERY_MS)
    }
    const look = () => !document.hidden && void watch()
    document.addEventListener('visibilitychange', look)
    void watch()
    return () => {
      latest += 1
      clearTimeout(waiting)
      document.removeEventListener('visibilitychange', look)
    }
  }, [client])
}

/** Whether the service or its database is unavailable; also if a proxy reports it. */
async function ask(): Promise<Away['what'] | undefined> {
  try {
    const { status } = await fetch('/ready', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) })
    if (status === 502 || status === 504) return 'service'
    return status === 503 ? 'database' : undefined
  } catch {
    return 'service'
  }
}

function note(what: Away['what'] | undefined): void {
  if (what === away?.what) return
  away = what === undefined ? undefined : { since: away?.since ?? new Date(), what }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
