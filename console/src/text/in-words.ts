import { allTexts, chosen } from './language.ts'

/** Loads the translation of the service's English sentences; English needs none. */
export async function inWords(): Promise<(sentence: string) => string> {
  if (chosen.language === 'en') return unchanged
  try {
    await allTexts()
    return (await import('./service-words.ts')).serviceWords
  } catch {
    return unchanged
  }
}

function unchanged(sentence: string): string {
  return sentence
}
