/** Waits for the work, but no longer than `limit_ms`; the work itself continues. Rejects if the work rejects in time. */
export async function waitAtMost(limit_ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, limit_ms)))
  try {
    await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}
