import { readdirSync, readFileSync } from 'node:fs'

export const TEXTS = 'console/src/text'

export type LanguageFile = { language: string; path: string; texts: Readonly<Record<string, string>> }

/** Every language but English, which stands in the code. */
export function readLanguages(): LanguageFile[] {
  return readdirSync(TEXTS)
    .filter((name) => /^[a-z]{2}\.json$/.test(name))
    .map((name) => {
      const texts: Record<string, string> = JSON.parse(readFileSync(`${TEXTS}/${name}`, 'utf8'))
      return { language: name.slice(0, 2), path: `${TEXTS}/${name}`, texts }
    })
}

/** What of the keys a language has not said yet, and what it says that nobody asks for. */
export function compare(
  keys: ReadonlySet<string>,
  texts: LanguageFile['texts'],
): { missing: string[]; unused: string[] } {
  return {
    missing: [...keys].filter((key) => !texts[key]),
    unused: Object.keys(texts).filter((key) => !keys.has(key)),
  }
}

/** `{name}` and `<b>` of a text, in order of the alphabet. */
export function partsOf(text: string): string[] {
  return (text.match(/\{\w+\}|<\/?\w+>/g) ?? []).sort()
}

/** As it is written into a file. */
export function inOrder(texts: LanguageFile['texts']): string {
  const sorted = Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1))
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`
}
