import { allTexts, chosen } from './language.ts'

/** Loads the translation of the service's English sentences; English needs none. */
export async function inWords(): Promise<(told: string) => string> {
  if (chosen.language === 'en') return asTold
  try {
    await allTexts()
    return (await import('./service-words.ts')).serviceWords
  } catch {
    return asTold
  }
}

function asTold(told: string): string {
  return told
}
