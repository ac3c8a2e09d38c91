import { t } from './text.ts'

const PLACE = /\{(\w+)\}/g

type Recognised = { words: (told: string) => string | undefined; letters: number }

/**
 * A text of the service, which speaks English. `words` says what was told in the language that was chosen, if it was this
 * text; `letters` is how much of it stands fast.
 */
export function recognised(english: string): Recognised {
  const pieces = english.split(PLACE)
  const fast = pieces.filter((_, index) => index % 2 === 0)
  const names = pieces.filter((_, index) => index % 2 === 1)
  const pattern = new RegExp(`^${fast.map(escaped).join('(.+)')}$`)
  return {
    letters: fast.join('').length,
    words: (told) => {
      const found = pattern.exec(told)
      return found ? t(english, Object.fromEntries(names.map((name, n) => [name, found[n + 1] ?? '']))) : undefined
    },
  }
}

function escaped(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
}
