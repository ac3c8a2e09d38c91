import { nationalTables, type Languages } from './gsm7-national.ts'

/**
 * A long text is cut by octets, so a segment may end with the escape whose character begins the next one: half of a `€`.
 * Until the segments are together a private character stands for it, which also tells the tables it was written in.
 */
const ESCAPES = 0x10_0000
const LAST_ESCAPE = 0x10_00ff

/** Languages have small numbers; one we do not know has the default tables anyway. */
export function openEscape({ locking, single }: Languages): string {
  return String.fromCodePoint(ESCAPES + ((locking ?? 0) & 0x0f) * 16 + ((single ?? 0) & 0x0f))
}

/** The text of segments in their order. Where some are missing, what they began or ended is left out. */
export function joinSegments(segments: readonly string[], total: number): string {
  const parts: string[] = []
  let escape: number | undefined
  for (const segment of segments) {
    const part = escape === undefined || segments.length !== total ? segment : escaped(escape, segment)
    // Only the end of each is looked at: the whole, once for each segment, would be work by the square.
    escape = escapeAtEnd(part)
    parts.push(escape === undefined ? part : part.slice(0, -2))
  }
  return parts.join('')
}

function escapeAtEnd(text: string): number | undefined {
  const last = text.codePointAt(text.length - 2) ?? 0
  return last >= ESCAPES && last <= LAST_ESCAPE ? last : undefined
}

/** The segment, its first character read as the one behind the escape before it. */
function escaped(escape: number, segment: string): string {
  const code = escape - ESCAPES
  const { basic, extension } = nationalTables({ locking: code >> 4, single: code & 0x0f })
  const [first = ''] = segment
  return (extension.get(basic.indexOf(first)) ?? first) + segment.slice(first.length)
}
