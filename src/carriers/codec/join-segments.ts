import { nationalTables, type Languages } from './gsm7-national.ts'

/**
 * Long texts are split by octets, so a segment may end with the GSM escape of the next segment's first character. Until the
 * segments are joined, a private-use character represents the escape and the language tables in effect.
 */
const ESCAPES = 0x10_0000
const LAST_ESCAPE = 0x10_00ff

/** The placeholder of an escape at the end of a segment. */
export function openEscape({ locking, single }: Languages): string {
  return String.fromCodePoint(ESCAPES + ((locking ?? 0) & 0x0f) * 16 + ((single ?? 0) & 0x0f))
}

/** Joins the segments in order. If some are missing, open escapes are dropped. */
export function joinSegments(segments: readonly string[], total: number): string {
  const parts: string[] = []
  let escape: number | undefined
  for (const segment of segments) {
    const part = escape === undefined || segments.length !== total ? segment : escaped(escape, segment)
    // Only the end of each segment is examined: linear work.
    escape = escapeAtEnd(part)
    parts.push(escape === undefined ? part : part.slice(0, -2))
  }
  return parts.join('')
}

function escapeAtEnd(text: string): number | undefined {
  const last = text.codePointAt(text.length - 2) ?? 0
  return last >= ESCAPES && last <= LAST_ESCAPE ? last : undefined
}

/** The segment with its first character decoded by the extension table. */
function escaped(escape: number, segment: string): string {
  const code = escape - ESCAPES
  const { basic, extension } = nationalTables({ locking: code >> 4, single: code & 0x0f })
  const [first = ''] = segment
  return (extension.get(basic.indexOf(first)) ?? first) + segment.slice(first.length)
}

/** Base of the private-use characters that represent lone surrogates. */
const SURROGATES = 0x10_0000

/** Makes a segment storable: PostgreSQL accepts neither NUL nor the lone surrogate of a character that was split in two. */
export function toStorable(segment: string): string {
  const placeholder = (half: string): string => String.fromCodePoint(SURROGATES + half.charCodeAt(0))
  return segment.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, placeholder)
}

/** Reverses `toStorable`, once the segments are joined. */
export function fromStorable(text: string): string {
  const half = (placeholder: string): string => String.fromCharCode((placeholder.codePointAt(0) ?? 0) - SURROGATES)
  return text.replace(/[\u{10d800}-\u{10dfff}]/gu, half)
}
