/** A permutation that depends on the seed only (by a linear congruential generator). */
export function shuffled<T>(all: readonly T[], seed: number): T[] {
  let state = seed >>> 0
  const chance = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0)
  return all
    .map((one) => ({ one, at: chance() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)
}
