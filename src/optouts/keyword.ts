export type Keyword = 'stop' | 'start' | 'help'

const WORDS = new Map<string, Keyword>([
  ...['STOP', 'STOPALL', 'STOP ALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'].map((word) => [word, 'stop'] as const),
  ...['START', 'UNSTOP'].map((word) => [word, 'start'] as const),
  ['HELP', 'help'],
])

/** Longest text that is checked: a keyword with punctuation. */
const LONGEST = 100

/** Anything but letters and digits: punctuation, blanks, invisible marks, emoji. */
const AROUND = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu

/**
 * The keyword of a text that is a keyword and nothing else, case-insensitive and with any punctuation around it. A
 * sentence that contains a keyword is a message to the organisation.
 */
export function keywordOf(text: string): Keyword | null {
  if (text.length > LONGEST) return null
  const word = text.normalize('NFKC').replace(AROUND, '').replace(/\s+/g, ' ').toUpperCase()
  return WORDS.get(word) ?? null
}
