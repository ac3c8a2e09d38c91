/** Waits until a condition holds, up to a limit. Polling must not affect the measurement: set its interval. */
export async function until(
  what: string,
  limit_ms: number,
  isSo: () => Promise<boolean>,
  every_ms = 20,
): Promise<void> {
  const began = performance.now()
  while (!(await isSo())) {
    if (performance.now() - began > limit_ms) throw new Error(`not so in time: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, every_ms))
  }
}
