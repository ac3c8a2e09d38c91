import { t } from './text.ts'

const PLACE = /\{(\w+)\}/g

/** How values of a sentence are translated, by their names; a value without an entry stays as it is. */
export type ValueWords = Readonly<Record<string, (value: string) => string>>

type Recognised = { words: (sentence: string, values?: ValueWords) => string | undefined; fixed_length: number }

/**
 * Recognises an English sentence of the service. `words` translates it into the selected language if it matches;
 * `fixed_length` is the length of its parts without values.
 */
export function recognised(english: string): Recognised {
  const parts = english.split(PLACE)
  const fixed = parts.filter((_, index) => index % 2 === 0)
  const names = parts.filter((_, index) => index % 2 === 1)
  const pattern = new RegExp(`^${fixed.map(escaped).join('(.+)')}$`)
  return {
    fixed_length: fixed.join('').length,
    words: (sentence, values = {}) => {
      const found = pattern.exec(sentence)
      if (!found) return undefined
      const valueOf = (name: string, given: string): string => values[name]?.(given) ?? given
      return t(english, Object.fromEntries(names.map((name, n) => [name, valueOf(name, found[n + 1] ?? '')])))
    },
  }
}

/** What one of these makes of a sentence; one that none recognises is returned unchanged. */
export function firstWords(known: readonly Recognised[], sentence: string, values?: ValueWords): string {
  for (const { words } of known) {
    const found = words(sentence, values)
    if (found !== undefined) return found
  }
  return sentence
}

function escaped(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
}
