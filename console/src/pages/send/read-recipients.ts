import { cleanPhone, dialPlan } from '../../../../src/values/phone/phone.ts'

/** What was pasted as recipients. Each number and each wrong entry is there once, as it was typed. */
export type Recipients = {
  /** The valid and the wrong ones in their order. */
  entries: readonly string[]
  valid: readonly string[]
  wrong: readonly string[]
  /** How many valid numbers were given again, in any spelling. */
  duplicates: number
}

/**
 * Reads pasted recipients, and judges them by the function that the service itself uses.
 *
 * Commas, semicolons, tabs and line breaks always separate. A blank may stand between two numbers or inside one, so the
 * words between two separators are read as follows:
 *
 * 1. Words with letters are no number; a word with a plus or `tel:` begins one.
 * 2. If every word is a complete number, they are these numbers.
 * 3. If the words can be grouped so that every group is a valid number, they are these. Of several ways, the one with
 *    the fewest foreign numbers without a plus counts, then the fewest numbers, then the most equal lengths. So
 *    `0803 123 4567` is one number, and twice that is two.
 * 4. Otherwise a word of seven digits or more ends an entry, and the same is tried for each entry. A short word before a
 *    long one is never dropped: `+234 80312345` is wrong although `80312345` alone would be a number.
 * 5. What is then no number is wrong, whole: it is shown to the user rather than sent on a guess.
 *
 * The time is linear in the length of the text; what is known about an entry is kept while the text is typed.
 */
export function recipientReader(country: string): (text: string) => Recipients {
  const plan = dialPlan(country)
  const known = new Map<string, string | undefined>()
  function clean(typed: string): string | undefined {
    if (typed.length > LONGEST_KNOWN) return cleanPhone(typed, plan)
    if (known.has(typed)) return known.get(typed)
    if (known.size >= MOST_KNOWN) known.clear()
    const number = cleanPhone(typed, plan)
    known.set(typed, number)
    return number
  }
  const judge: Judge = {
    clean,
    isForeign: (typed) => !typed.includes('+') && !clean(typed)?.startsWith(plan.calling_code),
  }
  return (text) => {
    const valid = new Map<string, string>()
    const wrong = new Set<string>()
    const entries: string[] = []
    let duplicates = 0
    for (const entry of text.split(SEPARATORS).flatMap((part) => entriesIn(part, judge))) {
      const number = clean(entry)
      const is_new = number === undefined ? !wrong.has(entry) : !valid.has(number)
      if (is_new) entries.push(entry)
      else if (number !== undefined) duplicates += 1
      if (number === undefined) wrong.add(entry)
      else if (is_new) valid.set(number, entry)
    }
    return { entries, valid: [...valid.values()], wrong: [...wrong], duplicates }
  }
}

type Judge = {
  clean: (typed: string) => string | undefined
  /** Whether a valid number is of another country than the organisation, and does not say so by a plus. */
  isForeign: (typed: string) => boolean
}
type Word = { text: string; digits: number }

/** More than a message has recipients, with all the ways to group their words. */
const MOST_KNOWN = 100_000
/** A longer entry, such as a sentence, is judged again. */
const LONGEST_KNOWN = 40
const SEPARATORS = /[,;\t\r\n\u060c\u061b\uff0c\uff1b]+/
const BLANKS = /\s+/
const LETTER = /\p{L}/u
const URI = /^tel:/i
const URI_AND_BLANKS = /\btel:\s+/gi
const BEGINNING = /^(?:tel:|[([]*[+\uff0b])/i
const DIGITS = /\p{Nd}/gu
/** Of a word that may be a complete number, of one that ends an entry, and of the longest number with its prefixes. */
const FEWEST_DIGITS_ALONE = 6
const LONG_DIGITS = 7
const MOST_DIGITS = 20
/** Digits one by one, with dashes between them. */
const MOST_WORDS = 24

function entriesIn(part: string, judge: Judge): string[] {
  const runs: { words: Word[]; is_text: boolean }[] = []
  for (const text of part.replace(URI_AND_BLANKS, 'tel:').split(BLANKS)) {
    if (text === '') continue
    const is_text = LETTER.test(text) && !URI.test(text)
    const word = { text, digits: text.match(DIGITS)?.length ?? 0 }
    const last = runs.at(-1)
    if (last?.is_text === is_text && !BEGINNING.test(text)) last.words.push(word)
    else runs.push({ words: [word], is_text })
  }
  return runs.flatMap(({ words, is_text }) => (is_text ? [joined(words)] : numbersIn(words, judge)))
}

function numbersIn(words: readonly Word[], judge: Judge): string[] {
  if (words.every(({ text, digits }) => digits >= FEWEST_DIGITS_ALONE && judge.clean(text) !== undefined)) {
    return words.map(({ text }) => text)
  }
  return group(words, judge) ?? afterLongWords(words).flatMap((piece) => group(piece, judge) ?? parted(piece, judge))
}

/** Valid numbers before a long word that is none; else all of it is one wrong entry. */
function parted(piece: readonly Word[], judge: Judge): string[] {
  const last = piece.at(-1)
  const numbers = last && last.digits >= LONG_DIGITS ? group(piece.slice(0, -1), judge) : undefined
  return last && numbers ? [...numbers, last.text] : [joined(piece)]
}

function afterLongWords(words: readonly Word[]): Word[][] {
  const pieces: Word[][] = [[]]
  for (const word of words) {
    pieces.at(-1)?.push(word)
    if (word.digits >= LONG_DIGITS) pieces.push([])
  }
  return pieces.filter((piece) => piece.length > 0)
}

/** The words as valid numbers without a remainder; undefined if there is no such way. */
function group(words: readonly Word[], judge: Judge): string[] | undefined {
  const whole = words.length <= MOST_WORDS ? joined(words) : ''
  if (whole !== '' && judge.clean(whole) !== undefined && !judge.isForeign(whole)) return [whole]
  /** By first word: the best numbers from it to the end, of which the first is `number`. */
  const best: (Grouped | undefined)[] = []
  best[words.length] = { foreign: 0, count: 0, unequal: 0, next: 0, number: '' }
  for (let from = words.length - 1; from >= 0; from--) {
    let number = ''
    let digits = 0
    for (let next = from + 1; next <= Math.min(words.length, from + MOST_WORDS); next++) {
      const word = words[next - 1]!
      digits += word.digits
      if (digits > MOST_DIGITS) break
      number = number === '' ? word.text : `${number} ${word.text}`
      const after = best[next]
      if (!after || judge.clean(number) === undefined) continue
      const foreign = after.foreign + Number(judge.isForeign(number))
      const found = { foreign, count: after.count + 1, unequal: after.unequal + digits ** 2, next, number }
      if (isBetter(found, best[from])) best[from] = found
    }
  }
  const numbers: string[] = []
  for (let at = 0; at < words.length;) {
    const found = best[at]
    if (!found) return undefined
    numbers.push(found.number)
    at = found.next
  }
  return numbers
}

/** `unequal` is the sum of the squared lengths: of as many numbers with as many digits, it is least for equal ones. */
type Grouped = { foreign: number; count: number; unequal: number; next: number; number: string }

function isBetter(one: Grouped, other: Grouped | undefined): boolean {
  if (!other) return true
  return (one.foreign - other.foreign || one.count - other.count || one.unequal - other.unequal) < 0
}

function joined(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(' ')
}
