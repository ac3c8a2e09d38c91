import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'

/** Since when the service has not answered, and whether it is itself or its database that is away. */
export type Away = { since: Date; what: 'service' | 'database' }

/** Interval and timeout of the health check: together they detect an outage within five seconds. */
const EVERY_MS = 2_000
const PATIENCE_MS = 3_000

let away: Away | undefined
const listeners = new Set<() => void>()

/** Undefined while the service answers. What is on the page is then as it was, not as it is. */
export function useAway(): Away | undefined {
  return useSyncExternalStore(subscribe, () => away)
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
      note(document.hidden ? away?.what : await ask())
      if (was_away && away === undefined) void client.invalidateQueries()
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
