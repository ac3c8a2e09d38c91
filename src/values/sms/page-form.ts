/** How texts become pages on their way: what goes as GSM there, and what a page holds. */
export type PageForm = {
  /** GSM characters beyond this code are not taken as such. */
  highest: number
  /** Septets of each UTF-16 unit in GSM; 0 where a character makes the text UCS-2. */
  septets: Uint8Array
  /** What a message carries alone, and what a segment of a longer one does: less, by the header that numbers it. */
  units: Record<'GSM' | 'UCS-2', { single: number; segment: number }>
}

// GSM 03.38 (3GPP TS 23.038) in the order of its codes, without the escape at 0x1B. `Ç` is in it, `ç` is not.
export const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ' +
  ' !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§' +
  '¿abcdefghijklmnopqrstuvwxyzäöñüà'
export const EXTENSION = '\f^{}\\[~]|€'

const OCTETS = 140
/** The usual header: segments are numbered under eight bits. */
const HEADER_OCTETS = 6

/**
 * The form of a carrier that takes GSM characters up to `highest` as such and numbers the segments of a long text in a
 * header of that many octets.
 */
export function makePageForm({ highest = 0xffff, header_octets = HEADER_OCTETS } = {}): PageForm {
  const left = OCTETS - header_octets
  return {
    highest,
    septets: septetsUpTo(highest),
    units: {
      GSM: { single: septetsIn(OCTETS), segment: septetsIn(left) },
      'UCS-2': { single: OCTETS / 2, segment: Math.floor(left / 2) },
    },
  }
}

/** What nearly every carrier does: 160 and 153 septets, 70 and 67 units of UCS-2. */
export const STANDARD_PAGES = makePageForm()

/** Of a network that knows no pages: a message is one, however long. */
export const ONE_PAGE: PageForm = {
  ...STANDARD_PAGES,
  units: { GSM: { single: Infinity, segment: Infinity }, 'UCS-2': { single: Infinity, segment: Infinity } },
}

/** Of several the one with the fewest characters: what is GSM there is GSM in all of them. */
export function narrowest(forms: Iterable<PageForm>): PageForm {
  let found = STANDARD_PAGES
  for (const form of forms) if (form.highest < found.highest) found = form
  return found
}

// Every text of every recipient is measured, so a look-up is one read from an array, with no branch for the common half
// of the alphabet.
function septetsUpTo(highest: number): Uint8Array {
  const septets = new Uint8Array(65_536)
  for (const character of BASIC) septets[character.charCodeAt(0)] = 1
  for (const character of EXTENSION) septets[character.charCodeAt(0)] = 2
  return septets.fill(0, highest + 1)
}

function septetsIn(octets: number): number {
  return Math.floor((octets * 8) / 7)
}
