import type { PageForm } from './page-form.ts'

/** A text as the network bills it: what the encoding counts, and how many segments ("pages") carry it. */
export type SmsText = { encoding: 'GSM' | 'UCS-2'; message_length: number; pages: number }

export type SmsSegments = { encoding: SmsText['encoding']; segments: string[] }

/** A text over this many pages is refused, never cut. */
export const MAX_PAGES = 10

/** The empty text is one page: it still travels as one short message. */
export function measureText(text: string, form: PageForm): SmsText {
  const septets = countSeptets(text, form)
  const encoding = septets === FOREIGN ? 'UCS-2' : 'GSM'
  const message_length = septets === FOREIGN ? text.length : septets
  const pages = message_length <= form.units[encoding].single ? 1 : segmentEnds(text, form, septets).length
  return { encoding, message_length, pages }
}

/**
 * The segments in order: joined they are the text again, no escape or surrogate pair is split, and there are as many as
 * `measureText` says pages.
 */
export function splitText(text: string, form: PageForm): SmsSegments {
  const { encoding, message_length, pages } = measureText(text, form)
  if (pages === 1) return { encoding, segments: [text] }
  let start = 0
  const segments = segmentEnds(text, form, encoding === 'GSM' ? message_length : FOREIGN).map((end) => {
    const segment = text.slice(start, end)
    start = end
    return segment
  })
  return { encoding, segments }
}

/** It is all GSM there. */
export function isGsm(text: string, form: PageForm): boolean {
  return countSeptets(text, form) !== FOREIGN
}

/** The characters that force UCS-2, in order of appearance, each with where it stands, counted in UTF-16 units. */
export function foreignCharacters(text: string, { septets }: PageForm): Map<string, number[]> {
  const found = new Map<string, number[]>()
  let position = 0
  for (const character of text) {
    if (character.length > 1 || septets[character.charCodeAt(0)] === 0) {
      const positions = found.get(character)
      if (positions) positions.push(position)
      else found.set(character, [position])
    }
    position += character.length
  }
  return found
}

const FOREIGN = -1

function countSeptets(text: string, form: PageForm): number {
  const widths = form.septets
  let septets = 0
  for (let i = 0; i < text.length; i++) {
    const width = widths[text.charCodeAt(i)]!
    if (width === 0) return FOREIGN
    septets += width
  }
  return septets
}

/** Where each segment ends, for a text of that many septets that is too long for one message. */
function segmentEnds(text: string, form: PageForm, septets: number): number[] {
  const { segment } = form.units[septets === FOREIGN ? 'UCS-2' : 'GSM']
  // Without an extension character a septet is a character, and nothing needs to be counted.
  const narrow = septets === FOREIGN || septets === text.length
  const ends: number[] = []
  for (let end = 0; end < text.length; ends.push(end)) {
    end = narrow ? narrowEnd(text, end + segment) : wideEnd(text, end, segment, form.septets)
  }
  return ends
}

/** A segment may stay a septet short, so that an extension character keeps its escape. */
function wideEnd(text: string, start: number, units: number, septets: Uint8Array): number {
  let free = units
  let end = start
  while (end < text.length) {
    free -= septets[text.charCodeAt(end)]!
    if (free < 0) break
    end++
  }
  return end
}

/** A segment may stay a unit short, so that a surrogate pair stays whole; GSM has none. */
function narrowEnd(text: string, end: number): number {
  if (end >= text.length) return text.length
  const splitsPair = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(end) & 0xfc00) === 0xdc00
  return splitsPair ? end - 1 : end
}
