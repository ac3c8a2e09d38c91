/** Waits for a condition, checking repeatedly; fails with a description of it. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  limit_ms = 30_000,
): Promise<T> {
  const started = Date.now()
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (Date.now() - started > limit_ms) throw new Error(`waited ${limit_ms} ms in vain for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
