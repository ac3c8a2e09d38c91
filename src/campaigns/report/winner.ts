type Result = { text_number: number; people: number; delivered: number; clicked: number }

/** Two shares differ by more than chance would have it in 19 of 20 cases (two-proportion z-test). */
const CERTAIN = 1.96

/** The text with the highest share of successes, if it leads the next one by more than chance. */
export function winnerOf(texts: readonly Result[], is_trackable: boolean): number | undefined {
  const tries = texts.map(({ text_number, people, delivered, clicked }) =>
    is_trackable ? { text_number, of: delivered, good: clicked } : { text_number, of: people, good: delivered },
  )
  const [best, next] = tries.filter(({ of }) => of > 0).sort((a, b) => b.good / b.of - a.good / a.of)
  if (!best || !next) return undefined
  const both = (best.good + next.good) / (best.of + next.of)
  const spread = Math.sqrt(both * (1 - both) * (1 / best.of + 1 / next.of))
  if (spread === 0) return undefined
  return (best.good / best.of - next.good / next.of) / spread > CERTAIN ? best.text_number : undefined
}
