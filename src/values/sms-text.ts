/** A text as the network bills it: what the encoding counts, and how many parts ("pages") carry it. */
export type SmsText = { encoding: 'GSM' | 'UCS-2'; message_length: number; pages: number }

/** A text over this many pages is refused, never cut. */
export const MAX_PAGES = 10

/** The empty text is one page: it still travels as one short message. */
export function measureText(text: string): SmsText {
  const septets = countSeptets(text)
  const encoding = septets === FOREIGN ? 'UCS-2' : 'GSM'
  const message_length = septets === FOREIGN ? text.length : septets
  const { single, part } = UNITS[encoding]
  let pages = 1
  if (message_length > single) {
    for (let end = PART_END[encoding](text, 0, part); end < text.length; pages++) {
      end = PART_END[encoding](text, end, part)
    }
  }
  return { encoding, message_length, pages }
}

/** What a message carries alone, and what a part of a longer one does: less, by the header that numbers it. */
export const UNITS = { GSM: { single: 160, part: 153 }, 'UCS-2': { single: 70, part: 67 } } as const

/** Where the part that begins at `start` ends, when it may hold so many units. */
export const PART_END = { GSM: gsmPartEnd, 'UCS-2': ucs2PartEnd } as const

/** The characters that force UCS-2, in order of appearance, each with where it stands, counted in UTF-16 units. */
export function foreignCharacters(text: string): Map<string, number[]> {
  const found = new Map<string, number[]>()
  let position = 0
  for (const character of text) {
    if (character.length > 1 || SEPTETS[character.charCodeAt(0)] === 0) {
      const positions = found.get(character)
      if (positions) positions.push(position)
      else found.set(character, [position])
    }
    position += character.length
  }
  return found
}

// GSM 03.38 (3GPP TS 23.038) in the order of its codes, without the escape at 0x1B. `Ç` is in it, `ç` is not.
export const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ' +
  ' !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§' +
  '¿abcdefghijklmnopqrstuvwxyzäöñüà'
export const EXTENSION = '\f^{}\\[~]|€'

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
function gsmPartEnd(text: string, start: number, units: number): number {
  let free = units
  let end = start
  while (end < text.length) {
    free -= SEPTETS[text.charCodeAt(end)]!
    if (free < 0) break
    end++
  }
  return end
}

/** A part may stay a unit short, so that a surrogate pair stays whole. */
function ucs2PartEnd(text: string, start: number, units: number): number {
  const end = start + units
  if (end >= text.length) return text.length
  const splitsPair = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(end) & 0xfc00) === 0xdc00
  return splitsPair ? end - 1 : end
}
