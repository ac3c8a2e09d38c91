import { nationalTables, type Languages } from './gsm7-national.ts'

/**
 * A long text is cut by octets, so a part may end with the escape whose character begins the next one: half of a `€`.
 * Until the parts are together a private character stands for it, which also tells the tables it was written in.
 */
const ESCAPES = 0x10_0000
const ESCAPE_AT_END = /[\u{100000}-\u{1000ff}]$/u

/** Languages have small numbers; one we do not know has the default tables anyway. */
export function openEscape({ locking, single }: Languages): string {
  return String.fromCodePoint(ESCAPES + ((locking ?? 0) & 0x0f) * 16 + ((single ?? 0) & 0x0f))
}

/** The text of parts in their order. Where some are missing, what they began or ended is left out. */
export function joinParts(parts: readonly string[], total: number): string {
  let text = ''
  for (const part of parts) {
    const escape = text.search(ESCAPE_AT_END)
    text = escape < 0 ? text + part : text.slice(0, escape) + (parts.length === total ? escaped(text, part) : part)
  }
  return text.replace(ESCAPE_AT_END, '')
}

/** The part, its first character read as the one behind the escape that ends the text. */
function escaped(text: string, part: string): string {
  const code = text.codePointAt(text.length - 2)! - ESCAPES
  const { basic, extension } = nationalTables({ locking: code >> 4, single: code & 0x0f })
  const [first = ''] = part
  return (extension.get(basic.indexOf(first)) ?? first) + part.slice(first.length)
}
