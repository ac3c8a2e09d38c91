/** As the service finds links (`src/messaging/links/find-links.ts`); a test compares the two. */
const LINK = /\bhttps?:\/\/[^\s\p{Cc}<>"\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019\u2026]+/giu
const LONGEST = 4_096
const PUNCTUATION = '.,;:!?\'"*_'
const BRACKETS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/** The text with every link replaced by one of the length of the tracked links that will be sent. */
export function withShortLinks(text: string, short_link: string): string {
  return text.replace(LINK, (found) => {
    const link = withoutPunctuation(found)
    return link.length > LONGEST || !URL.canParse(link) ? found : short_link + found.slice(link.length)
  })
}

/** Punctuation behind a link ends the sentence, and a closing bracket belongs to it only if it was opened in it. */
function withoutPunctuation(link: string): string {
  let end = link.length
  for (; end > 0; end--) {
    const last = link[end - 1] ?? ''
    if (PUNCTUATION.includes(last)) continue
    const opened = BRACKETS[last]
    if (opened === undefined) break
    const at = link.indexOf(opened)
    if (at >= 0 && at < end - 1) break
  }
  return link.slice(0, end)
}
