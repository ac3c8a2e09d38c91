import type { PageForm } from './page-form.ts'
import { isGsm } from './sms-text.ts'

/**
 * The text with typographic characters replaced by their GSM look-alikes, when that brings all of it into GSM; else,
 * and when it is GSM already, the text as it is. `keep` marks what must stay as written, such as links: where one of
 * those needs UCS-2, nothing is gained and nothing changes.
 */
export function smartEncode(text: string, form: PageForm, keep?: RegExp): string {
  if (isGsm(text, form)) return text
  const replaced = keep === undefined ? replace(text) : replaceBetween(text, keep)
  return isGsm(replaced, form) ? replaced : text
}

/** The GSM look-alike of a character, if it has one. */
export function lookAlike(character: string): string | undefined {
  return LOOK_ALIKES.get(character)
}

function replace(text: string): string {
  let replaced = ''
  for (const character of text) replaced += LOOK_ALIKES.get(character) ?? character
  return replaced
}

function replaceBetween(text: string, keep: RegExp): string {
  let replaced = ''
  let end = 0
  for (const { 0: kept, index } of text.matchAll(keep)) {
    replaced += replace(text.slice(end, index)) + kept
    end = index + kept.length
  }
  return replaced + replace(text.slice(end))
}

// Only replacements that a reader takes for the same: accents and currency signs are kept.
const LOOK_ALIKES = new Map<string, string>()
for (const [characters, plain] of [
  ['\u2018\u2019\u201a\u201b\u2032\u2035\u02bc\u02bb\u02c8\u02b9\u00b4\u0060\u275b\u275c', "'"],
  ['\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\u275d\u275e\u301d\u301e\u02ba', '"'],
  ['\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2e3a\u2e3b\ufe58\ufe63', '-'],
  ['\u2022\u2023\u00b7\u2219\u25e6\u25aa', '-'],
  ['\u2026', '...'],
  ['\u2025', '..'],
  ['\u2024', '.'],
  ['\t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000', ' '],
  ['\u2028\u2029\u0085\u000b', '\n'],
  ['\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\ufe0e\ufe0f', ''],
  ['\u2039', '<'],
  ['\u203a', '>'],
  ['\u2044\u2215', '/'],
  ['\u00d7', 'x'],
  ['\u203c', '!!'],
  ['\u2e2e', '?'],
] as const) {
  for (const character of characters) LOOK_ALIKES.set(character, plain)
}
