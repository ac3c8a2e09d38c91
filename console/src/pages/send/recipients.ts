import type { Template } from '../../../../clients/typescript/src/types.ts'

/** Numbers as they were pasted: separated by commas, semicolons or lines, each once. */
export function readRecipients(text: string): { numbers: string[]; duplicates: number } {
  const given = text
    .split(/[,;\n]+/)
    .map((part) => part.trim())
    .filter(Boolean)
  const by_digits = new Map<string, string>()
  for (const number of given) {
    const key = number.replace(/\D/g, '') || number
    if (!by_digits.has(key)) by_digits.set(key, number)
  }
  return { numbers: [...by_digits.values()], duplicates: given.length - by_digits.size }
}

const PLACEHOLDER = /\{\{([^{}|]+)(?:\|([^{}]*))?\}\}/g

export type Placeholder = Template['placeholders'][number]

/** What is in double braces, each once, in order. */
export function placeholdersOf(text: string): Placeholder[] {
  const found = new Map<string, Placeholder>()
  for (const [, written = '', otherwise] of text.matchAll(PLACEHOLDER)) {
    const name = written.trim()
    if (!found.has(name)) found.set(name, otherwise === undefined ? { name } : { name, default: otherwise.trim() })
  }
  return [...found.values()]
}

/** The text one recipient gets; what has no value stays as it is, so that it is seen. */
export function fillIn(text: string, values: Record<string, string>): string {
  return text.replaceAll(PLACEHOLDER, (whole, name: string, otherwise?: string) => {
    const value = values[name.trim()]
    if (value !== undefined && value !== '') return value
    return otherwise === undefined ? whole : otherwise.trim()
  })
}
