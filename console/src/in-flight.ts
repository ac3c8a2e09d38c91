import { useSyncExternalStore } from 'react'

/** A write that the service has not answered. */
type Flight = { since_ms: number; abort: AbortController }

const flights = new Set<Flight>()
const listeners = new Set<() => void>()

/** Runs a write, and counts it while its outcome is open. */
export async function inFlight<T>(write: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const flight = { since_ms: Date.now(), abort: new AbortController() }
  flights.add(flight)
  notify()
  try {
    return await write(flight.abort.signal)
  } finally {
    flights.delete(flight)
    notify()
  }
}

/** How many writes wait for their answer. */
export function useInFlight(): number {
  return useSyncExternalStore(subscribe, () => flights.size)
}

/** Ends the writes that have waited for longer: they may wait on a connection that no longer exists. */
export function abandonFlights(longer_than_ms: number): void {
  for (const { since_ms, abort } of flights) if (Date.now() - since_ms > longer_than_ms) abort.abort()
}

function notify(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
