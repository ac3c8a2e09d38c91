import type { Fault } from '../refusal.ts'

/** Deeper than any body the API accepts, and far from exhausting the stack of recursive code. */
export const MAX_DEPTH = 64
/** As many as the longest list any operation takes. */
export const MAX_ITEMS = 10_000
export const MAX_KEYS = 1_000
/** Values in all of a body: ten thousand recipients with twenty values each. Parsing that many takes a tenth of a second. */
export const MAX_VALUES = 250_000

/**
 * Checks depth and number of values before JSON is parsed: eight megabytes of `{},{},…` or of brackets block the event
 * loop for a second or two when parsed, and a twentieth of that when measured. Invalid JSON may pass; the parser rejects it.
 */
export function measureJson(text: string, most_values = MAX_VALUES): Fault | undefined {
  if (text.length <= 2 * MAX_DEPTH) return undefined // too short to be deep, let alone full
  let depth = 0
  let values = 0
  values_in[0] = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) {
      at = endOfString(text, at)
    } else if (unit === COMMA) {
      if (++values > most_values) return tooFull(most_values)
      if (++values_in[depth]! > limit_of[depth]!) return tooLong(text, at, limit_of[depth]!)
    } else if (unit === OPENING_BRACE || unit === OPENING_BRACKET) {
      if (depth === MAX_DEPTH) return TOO_DEEP
      depth++
      values++
      values_in[depth] = 1
      limit_of[depth] = unit === OPENING_BRACE ? MAX_KEYS : MAX_ITEMS
    } else if (unit === CLOSING_BRACE || unit === CLOSING_BRACKET) {
      if (depth > 0) depth--
    }
  }
  return undefined
}

/** By depth. Allocated once: measuring is synchronous, and allocating per body would cost more than measuring. */
const values_in = new Uint32Array(MAX_DEPTH + 1)
const limit_of = new Uint32Array(MAX_DEPTH + 1).fill(MAX_VALUES)

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

const TOO_DEEP: Fault = {
  field: 'body',
  message: `The body is nested more than ${MAX_DEPTH} levels deep.`,
  type: 'invalid',
}

function tooFull(most_values: number): Fault {
  const message = `The body has more than ${most_values.toLocaleString('en')} values.`
  return { field: 'body', message, type: 'less_than_equal' }
}

function tooLong(text: string, at: number, limit: number): Fault {
  const what = limit === MAX_KEYS ? 'fields' : 'items'
  const message = `This value has more than ${limit.toLocaleString('en')} ${what}.`
  return { field: placeOf(text, at) || 'body', message, type: 'less_than_equal' }
}

/** The index of the closing quote, or the end of the text. */
function endOfString(text: string, from: number): number {
  let end = from
  for (let hops = 0; hops < MAX_HOPS; hops++) {
    end = text.indexOf('"', end + 1)
    if (end < 0) return text.length
    if (!isEscaped(text, end)) return end
  }
  for (let at = end + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === BACKSLASH) at++
    else if (unit === QUOTE) return at
  }
  return text.length
}

/** Searching from quote to quote is fastest, except where most characters are quotes. */
const MAX_HOPS = 100

function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === BACKSLASH) before--
  return (at - before) % 2 === 0
}

/** The path of the value that is open here, such as `personalisation[2].substitutions`. Only for a refusal. */
function placeOf(text: string, until: number): string {
  const open: { name: string; item: number | undefined }[] = []
  let name = ''
  for (let at = 0; at < until; at++) {
    const unit = text.charCodeAt(at)
    const inner = open.at(-1)
    if (unit === QUOTE) {
      const end = endOfString(text, at)
      name = text.slice(at + 1, Math.min(end, at + 1 + LONGEST_NAME))
      at = end
    } else if (unit === OPENING_BRACE || unit === OPENING_BRACKET) {
      open.push({ name: inner?.item === undefined ? name : '', item: unit === OPENING_BRACKET ? 0 : undefined })
    } else if (unit === CLOSING_BRACE || unit === CLOSING_BRACKET) {
      open.pop()
    } else if (unit === COMMA && inner?.item !== undefined) {
      inner.item++
    }
  }
  return open
    .map((one, n) => (open[n - 1]?.item === undefined ? one.name : `[${open[n - 1]!.item}]`))
    .reduce((place, part) => (part.startsWith('[') || place === '' ? place + part : `${place}.${part}`), '')
}

const LONGEST_NAME = 100
