export type Keyword = 'stop' | 'start' | 'help'

const WORDS = new Map<string, Keyword>([
  ...['STOP', 'STOPALL', 'STOP ALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'].map((word) => [word, 'stop'] as const),
  ...['START', 'UNSTOP'].map((word) => [word, 'start'] as const),
  ['HELP', 'help'],
])

/** No word with its punctuation is longer. */
const LONGEST = 100

/** Everything that is neither letter nor digit: punctuation, blanks, invisible marks, emoji. */
const AROUND = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu

/**
 * What a text asks of us, if it is one of these words and nothing else, in any case and with whatever punctuation
 * around it. A sentence that holds such a word is a message to the organisation, not to us.
 */
export function keywordOf(text: string): Keyword | null {
  if (text.length > LONGEST) return null
  const word = text.normalize('NFKC').replace(AROUND, '').replace(/\s+/g, ' ').toUpperCase()
  return WORDS.get(word) ?? null
}
