/** Longer words are not typing errors, and comparing costs the product of both lengths. */
const LONGEST = 40

/** The known word that was probably meant: at most a third of its characters differ. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > LONGEST) return undefined
  const near = known
    .map((one) => ({ one, steps: distance(word.toLowerCase(), one) }))
    .filter(({ one, steps }) => steps <= Math.max(1, Math.floor(one.length / 3)))
    .sort((a, b) => a.steps - b.steps)
  return near[0]?.one
}

/** Damerau-Levenshtein distance of two words. */
function distance(from: string, to: string): number {
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1
      const steps = [(row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same]
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) steps.push((before[j - 2] ?? 0) + 1)
      next.push(Math.min(...steps))
    }
    before = row
    row = next
  }
  return row[to.length] ?? 0
}
