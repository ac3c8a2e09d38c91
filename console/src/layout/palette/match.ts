/** What something is called, and other words for it. */
type Named = { title: string; detail?: string | undefined; words?: string }

/**
 * Those that have every word of the text, the best first: where the title begins with it, where words begin with its
 * words, and where these stand anywhere. Among equals the order stays.
 */
export function matching<Entry extends Named>(entries: readonly Entry[], text: string): Entry[] {
  const wanted = plain(text.trim())
  if (wanted === '') return [...entries]
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry, wanted) }))
    .filter(({ rank }) => rank < Infinity)
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry)
}

function rankOf({ title, detail = '', words = '' }: Named, wanted: string): number {
  const name = plain(title)
  if (name.startsWith(wanted)) return 0
  const all = plain(`${name} ${detail} ${words}`)
  const parts = wanted.split(/\s+/)
  if (parts.every((part) => ` ${name}`.includes(` ${part}`))) return 1
  if (parts.every((part) => ` ${all}`.includes(` ${part}`))) return 2
  return parts.every((part) => all.includes(part)) ? 3 : Infinity
}

/** Ignores diacritics: `modele` matches `Modèle`. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** The place of the next entry, up or down, from the last one on to the first. */
export function step(at: number, by: number, count: number): number {
  return count === 0 ? 0 : (at + by + count) % count
}
