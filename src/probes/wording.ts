import { randomInt } from 'node:crypto'
import { fillPattern, readPattern } from '../values/placeholders.ts'
import type { Displayed } from './schema.ts'

/** What replaces the placeholders of a wording: the mark by which an arriving text is recognised. */
const MARKS: Record<string, () => string> = { code: newCode, word: newWord }

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u
const CONSONANTS = 'bdfgklmnprstvz'
const VOWELS = 'aeiou'
const SYLLABLES = 4

/** Undefined if the wording is sound. */
export function wordingFault(wording: string): string | undefined {
  const { literals, placeholders } = readPattern(wording)
  const [only] = placeholders
  if (!only || placeholders.length > 1 || !Object.hasOwn(MARKS, only.name) || only.default !== undefined) {
    return 'It needs exactly one placeholder, {{code}} or {{word}}.'
  }
  const [before = '', after = ''] = literals
  if (LETTER_OR_DIGIT.test(before.slice(-1)) || LETTER_OR_DIGIT.test(after.slice(0, 1))) {
    return 'No letter or digit may stand directly beside the placeholder.'
  }
  return undefined
}

/** The text of a sound wording, and its mark. */
export function fillWording(wording: string): { text: string; mark: string } {
  const pattern = readPattern(wording)
  const mark = (MARKS[pattern.placeholders[0]?.name ?? ''] ?? newCode)()
  return {
    text: fillPattern(
      pattern,
      () => mark,
      () => {},
    ),
    mark,
  }
}

/** More than any text of ours has. */
const MAX_MARKS = 200

/** The marks that a received text may contain. */
export function marksIn(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return [...new Set(words.filter((word) => word.length === CODE_DIGITS || word.length === 2 * SYLLABLES))].slice(
    0,
    MAX_MARKS,
  )
}

/** How a received text differs from the one that was sent. */
export function compareTexts(sent: string, received: string): Displayed {
  if (received === sent) return 'equal'
  return received.length < sent.length && sent.includes(received) ? 'part' : 'changed'
}

const CODE_DIGITS = 6

function newCode(): string {
  return String(randomInt(10 ** (CODE_DIGITS - 1), 10 ** CODE_DIGITS))
}

function newWord(): string {
  const letter = (of: string): string => of[randomInt(of.length)] ?? ''
  return Array.from({ length: SYLLABLES }, () => letter(CONSONANTS) + letter(VOWELS)).join('')
}
