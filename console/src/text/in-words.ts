import { allTexts, chosen } from './language.ts'

/** How to say what the service says in English. Who reads English needs no table for it, and loads none. */
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
