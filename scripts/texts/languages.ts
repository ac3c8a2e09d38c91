import { readdirSync, readFileSync } from 'node:fs'

export const TEXTS = 'console/src/text'

export type LanguageFile = { language: string; path: string; texts: Readonly<Record<string, string>> }

/** Every language but English, which is in the code. */
export function readLanguages(): LanguageFile[] {
  return readdirSync(TEXTS)
    .filter((name) => /^[a-z]{2}\.json$/.test(name))
    .map((name) => {
      const texts: Record<string, string> = JSON.parse(readFileSync(`${TEXTS}/${name}`, 'utf8'))
      return { language: name.slice(0, 2), path: `${TEXTS}/${name}`, texts }
    })
}

/** Keys that a language has not translated yet, and translations that are not used. */
export function compare(
  keys: ReadonlySet<string>,
  texts: LanguageFile['texts'],
): { missing: string[]; unused: string[] } {
  return {
    missing: [...keys].filter((key) => !texts[key]),
    unused: Object.keys(texts).filter((key) => !keys.has(key)),
  }
}

/** `{name}` and `<b>` of a text, in alphabetical order. */
export function partsOf(text: string): string[] {
  return (text.match(/\{\w+\}|<\/?\w+>/g) ?? []).sort()
}

/** In the format of the file. */
export function inOrder(texts: LanguageFile['texts']): string {
  const sorted = Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1))
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`
}
