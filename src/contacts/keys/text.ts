/** A text as it is compared: without case, and however its accents were typed. */
export function textKey(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/** Column and list names: blanks at the ends do not count either. */
export function nameKey(name: string): string {
  return textKey(name.trim())
}

/** As PostgreSQL counts characters. */
export function firstCharacters(text: string, count: number): string {
  return text.length <= count ? text : Array.from(text).slice(0, count).join('')
}
