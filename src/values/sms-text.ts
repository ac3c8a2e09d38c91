/** A text as the network bills it: what the encoding counts, and how many parts ("pages") carry it. */
export type SmsText = { encoding: 'GSM' | 'UCS-2'; message_length: number; pages: number }

/** A text over this many pages is refused, never cut. */
export const MAX_PAGES = 10

/** The empty text is one page: it still travels as one short message. */
export function measureText(text: string): SmsText {
  const septets = countSeptets(text)
  const form = septets === FOREIGN ? UCS2 : GSM
  const message_length = septets === FOREIGN ? text.length : septets
  let pages = 1
  if (message_length > form.single) {
    for (let end = form.partEnd(text, 0); end < text.length; pages++) end = form.partEnd(text, end)
  }
  return { encoding: form.encoding, message_length, pages }
}

/** The parts in order: joined they are the text again, and there are as many as `measureText` says pages. */
export function splitText(text: string): { encoding: SmsText['encoding']; parts: string[] } {
  const septets = countSeptets(text)
  const form = septets === FOREIGN ? UCS2 : GSM
  const message_length = septets === FOREIGN ? text.length : septets
  if (message_length <= form.single) return { encoding: form.encoding, parts: [text] }
  const parts: string[] = []
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = form.partEnd(text, start)
    parts.push(text.slice(start, end))
  }
  return { encoding: form.encoding, parts }
}

/** The distinct characters that force UCS-2, in order of appearance. */
export function foreignCharacters(text: string): string[] {
  const found = new Set<string>()
  for (const character of text) {
    if (character.length > 1 || SEPTETS[character.charCodeAt(0)] === 0) found.add(character)
  }
  return [...found]
}

// A part is shorter than a single message by the header that numbers it.
const GSM = { encoding: 'GSM', single: 160, part: 153, partEnd: gsmPartEnd } as const
const UCS2 = { encoding: 'UCS-2', single: 70, part: 67, partEnd: ucs2PartEnd } as const

// GSM 03.38 (3GPP TS 23.038) in the order of its codes, without the escape at 0x1B. `Ç` is in it, `ç` is not.
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ' +
  ' !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§' +
  '¿abcdefghijklmnopqrstuvwxyzäöñüà'
const EXTENSION = '\f^{}\\[~]|€'

// Septets of each UTF-16 unit, 0 where the table has no such character. Every text of every recipient is measured,
// so a look-up is one read from an array, with no branch for the common half of the alphabet.
const SEPTETS = new Uint8Array(65_536)
for (const character of BASIC) SEPTETS[character.charCodeAt(0)] = 1
for (const character of EXTENSION) SEPTETS[character.charCodeAt(0)] = 2

const FOREIGN = -1

function countSeptets(text: string): number {
  let septets = 0
  for (let i = 0; i < text.length; i++) {
    const width = SEPTETS[text.charCodeAt(i)]!
    if (width === 0) return FOREIGN
    septets += width
  }
  return septets
}

/** A part may stay a septet short, so that an extension character keeps its escape. */
function gsmPartEnd(text: string, start: number): number {
  let free = GSM.part
  let end = start
  while (end < text.length) {
    free -= SEPTETS[text.charCodeAt(end)]!
    if (free < 0) break
    end++
  }
  return end
}

/** A part may stay a unit short, so that a surrogate pair stays whole. */
function ucs2PartEnd(text: string, start: number): number {
  const end = start + UCS2.part
  if (end >= text.length) return text.length
  const splitsPair = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(end) & 0xfc00) === 0xdc00
  return splitsPair ? end - 1 : end
}
