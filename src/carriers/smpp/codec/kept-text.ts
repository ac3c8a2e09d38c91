/** Above it the private characters that stand for halves of a character. */
const HALVES = 0x10_0000

/** A text may be cut in the middle of a character. PostgreSQL keeps neither half of it, nor NUL, which says nothing. */
export function asKept(segment: string): string {
  const placeholder = (half: string): string => String.fromCodePoint(HALVES + half.charCodeAt(0))
  return segment.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, placeholder)
}

/** Once the segments are together, so are the halves. */
export function asWritten(text: string): string {
  const half = (placeholder: string): string => String.fromCharCode((placeholder.codePointAt(0) ?? 0) - HALVES)
  return text.replace(/[\u{10d800}-\u{10dfff}]/gu, half)
}
