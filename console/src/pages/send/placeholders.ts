import type { Template } from '../../../../clients/typescript/src/types.ts'

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
