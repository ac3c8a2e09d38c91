/** How long a claim is valid. After that another process may take over: this is what the crash of a worker costs. */
export const LEASE_S = 10
const RENEW_INTERVAL_MS = (LEASE_S * 1_000) / 3

/** The rows or jobs leased by this process. */
export type Leases<T> = {
  add(item: T): void
  release(item: T): void
  find(matches: (item: T) => boolean): T | undefined
  /** Renews no lease any more. */
  stop(): void
}

/**
 * Renews leases that are older than half of the renewal interval; most work ends before that. Renewals may overlap: on a
 * cluster one that hangs on an unreachable node must not delay the next one for the other nodes.
 */
export function startLeases<T>(
  renew: (items: T[]) => Promise<unknown>,
  onFailure: (fault: unknown) => void,
): Leases<T> {
  const since = new Map<T, number>()
  /** Runs while there are leases. */
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  function renewDue(): void {
    const oldest_ms = performance.now() - RENEW_INTERVAL_MS / 2
    const due = [...since].flatMap(([item, at]) => (at < oldest_ms ? [item] : []))
    if (due.length > 0) renew(due).catch(onFailure)
    if (since.size === 0) pause()
  }

  function pause(): void {
    clearInterval(timer)
    timer = undefined
  }

  return {
    add(item) {
      since.set(item, performance.now())
      if (!stopped) timer ??= setInterval(renewDue, RENEW_INTERVAL_MS)
    },
    release: (item) => void since.delete(item),
    find(matches) {
      for (const item of since.keys()) if (matches(item)) return item
      return undefined
    },
    stop() {
      stopped = true
      pause()
    },
  }
}
