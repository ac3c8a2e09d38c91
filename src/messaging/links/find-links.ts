/** A text split at its links: one piece more than links. */
export type Linked = { pieces: string[]; urls: string[] }

/** Longer URLs are not treated as links. */
const MAX_URL = 4_096

/** A link extends to the next space, quote, bracket or control character. */
export const LINK = /\bhttps?:\/\/[^\s\p{Cc}<>"\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019\u2026]+/giu

/** Splits a text at its links, in normalized form. Trailing punctuation is not part of a link. */
export function splitLinks(text: string): Linked {
  const pieces: string[] = []
  const urls: string[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(LINK)) {
    const link = withoutPunctuation(found)
    if (link.length > MAX_URL || !URL.canParse(link)) continue
    pieces.push(text.slice(end, index))
    urls.push(new URL(link).href)
    end = index + link.length
  }
  return { pieces: [...pieces, text.slice(end)], urls }
}

/** A closing bracket belongs to the link only if it was opened in it. */
function withoutPunctuation(link: string): string {
  const opened = new Map(BRACKETS.map(([open, close]) => [close as string, link.indexOf(open)]))
  let end = link.length
  for (; end > 0; end--) {
    const last = link[end - 1] ?? ''
    if (PUNCTUATION.includes(last)) continue
    const at = opened.get(last)
    if (at === undefined || (at >= 0 && at < end - 1)) break
  }
  return link.slice(0, end)
}

const PUNCTUATION = '.,;:!?\'"*_'
const BRACKETS = [
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
] as const
