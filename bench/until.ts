const EVERY_MS = 20

/** Waits for what is to become true, but not for ever. */
export async function until(what: string, limit_ms: number, isSo: () => Promise<boolean>): Promise<void> {
  const began = performance.now()
  while (!(await isSo())) {
    if (performance.now() - began > limit_ms) throw new Error(`not so in time: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  }
}
