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
  if (!standsAlone(before, after)) {
    return 'No letter or digit may stand directly beside the placeholder.'
  }
  return undefined
}

function standsAlone(before = '', after = ''): boolean {
  return !LETTER_OR_DIGIT.test(before.slice(-1)) && !LETTER_OR_DIGIT.test(after.slice(0, 1))
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

/**
 * The text of a campaign without the values of its recipients, and its mark: the word that stands for the first placeholder
 * that has no letter or digit beside it. Undefined: the text has none.
 */
export function fillContent(content: string): { text: string; mark: string | undefined } {
  const pattern = readPattern(content)
  const { literals, placeholders } = pattern
  const marking = placeholders.find((_, n) => standsAlone(literals[n], literals[n + 1]))
  const words = new Map(placeholders.map(({ name }) => [name, newWord()]))
  const mark = marking && words.get(marking.name)
  const kept = new Set(placeholders.filter((one) => one.default !== undefined).map(({ name }) => name))
  const text = fillPattern(
    pattern,
    (name) => (name !== marking?.name && kept.has(name) ? undefined : capitalised(words.get(name) ?? '')),
    () => {},
  )
  return { text, mark }
}

/** As names are written. */
function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

/** Of texts without a mark, that which a received text is most probably; undefined: none of them. */
export function likeliest<T extends { text: string }>(sent: readonly T[], received: string): T | undefined {
  const words = wordsIn(received)
  let best: { one: T; share: number } | undefined
  for (const one of sent) {
    const share = one.text === received ? 1 : likeness(wordsIn(one.text), words)
    if (share >= MIN_LIKENESS && share > (best?.share ?? 0)) best = { one, share }
  }
  return best?.one
}

/** A network adds or cuts off some words. */
const MIN_LIKENESS = 0.7

function likeness(sent: ReadonlySet<string>, received: ReadonlySet<string>): number {
  const shared = [...sent].filter((word) => received.has(word)).length
  return shared / Math.max(1, sent.size, received.size)
}

function wordsIn(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))
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
