/** A text as the network bills it. The service counts again when it is sent; this is for every letter typed. */
export type Measured = {
  encoding: 'GSM' | 'UCS-2'
  length: number
  pages: number
  /** How many more characters fit on the last page. */
  left: number
  /** The characters that are not in the GSM alphabet, each once. */
  foreign: string[]
}

// GSM 03.38 without its escape. `Ç` is in it, `ç` is not.
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const EXTENSION = '\f^{}\\[~]|€'
const WIDTH = new Map([
  ...Array.from(BASIC, (each) => [each, 1] as const),
  ...Array.from(EXTENSION, (each) => [each, 2] as const),
])

const FORMS = { GSM: { single: 160, part: 153 }, 'UCS-2': { single: 70, part: 67 } }

export function measure(text: string): Measured {
  const foreign = [...new Set(Array.from(text).filter((character) => !WIDTH.has(character)))]
  const encoding = foreign.length === 0 ? 'GSM' : 'UCS-2'
  const widths = Array.from(text, (character) => (encoding === 'GSM' ? (WIDTH.get(character) ?? 1) : character.length))
  const length = widths.reduce((sum, width) => sum + width, 0)
  const { single, part } = FORMS[encoding]
  if (length <= single) return { encoding, length, pages: 1, left: single - length, foreign }
  // No character is split between two pages, so a page may stay one short.
  let pages = 1
  let free = part
  for (const width of widths) {
    if (width > free) {
      pages += 1
      free = part
    }
    free -= width
  }
  return { encoding, length, pages, left: free, foreign }
}

export function isForeign(character: string): boolean {
  return !WIDTH.has(character)
}

/** What to write instead, where there is something a phone shows just as well. */
const INSTEAD: Record<string, string> = {
  '₦': 'NGN ',
  '“': '"',
  '”': '"',
  '„': '"',
  '‘': "'",
  '’': "'",
  '–': '-',
  '—': '-',
  '…': '...',
  '\u00a0': ' ',
  '\t': ' ',
  '`': "'",
  '•': '-',
  ç: 'c',
  á: 'a',
  í: 'i',
  ó: 'o',
  ú: 'u',
  ẹ: 'e',
  ọ: 'o',
  ṣ: 's',
}

/** The text with everything replaced that has a plain twin. */
export function plain(text: string): string {
  return Array.from(text, (character) => INSTEAD[character] ?? character).join('')
}
