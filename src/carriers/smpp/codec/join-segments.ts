import { nationalTables, type Languages } from './gsm7-national.ts'

/**
 * A long text is cut by octets, so a segment may end with the escape whose character begins the next one: half of a `€`.
 * Until the segments are together a private character stands for it, which also tells the tables it was written in.
 */
const ESCAPES = 0x10_0000
const ESCAPE_AT_END = /[\u{100000}-\u{1000ff}]$/u

/** Languages have small numbers; one we do not know has the default tables anyway. */
export function openEscape({ locking, single }: Languages): string {
  return String.fromCodePoint(ESCAPES + ((locking ?? 0) & 0x0f) * 16 + ((single ?? 0) & 0x0f))
}

/** The text of segments in their order. Where some are missing, what they began or ended is left out. */
export function joinSegments(segments: readonly string[], total: number): string {
  let text = ''
  for (const segment of segments) {
    const escape = text.search(ESCAPE_AT_END)
    text =
      escape < 0
        ? text + segment
        : text.slice(0, escape) + (segments.length === total ? escaped(text, segment) : segment)
  }
  return text.replace(ESCAPE_AT_END, '')
}

/** The segment, its first character read as the one behind the escape that ends the text. */
function escaped(text: string, segment: string): string {
  const code = text.codePointAt(text.length - 2)! - ESCAPES
  const { basic, extension } = nationalTables({ locking: code >> 4, single: code & 0x0f })
  const [first = ''] = segment
  return (extension.get(basic.indexOf(first)) ?? first) + segment.slice(first.length)
}
