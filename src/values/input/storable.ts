/** What PostgreSQL cannot keep as text, and still less as JSON: the NUL character, and halves of a character. */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}

/** With U+FFFD in the place of every half of a character, as a text column would keep it; JSON refuses it. */
export function withoutHalves(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}
