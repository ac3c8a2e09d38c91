import type { Fault } from '../refusal.ts'

/** Whether PostgreSQL can store the text: it stores neither the NUL character nor unpaired surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}

/** Adds a fault for text that PostgreSQL cannot store. */
export function checkStorable(field: string, given: unknown, faults: Fault[]): void {
  if (typeof given !== 'string' || isStorable(given)) return
  const what = given.includes('\u0000') ? 'a NUL character' : 'half of a character'
  faults.push({ field, message: `This value holds ${what}.`, type: 'invalid' })
}

/** The same for every text within a value that is stored as JSON, with the path to it. */
export function checkStorableIn(path: string, value: unknown, add: (path: string, message: string) => void): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) add(path, 'This value holds a character that cannot be stored.')
  } else if (Array.isArray(value)) {
    for (const [n, one] of value.entries()) checkStorableIn(`${path}[${n}]`, one, add)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) checkStorableIn(`${path}.${key}`, one, add)
  }
}

/** Replaces unpaired surrogates by U+FFFD, as a text column does; a JSON column rejects them. */
export function withoutHalves(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}
