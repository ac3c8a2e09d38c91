import { asText, parsePath, readPath, type Scope } from './path.ts'

/** Transforms a value before it is put into a request. */
export type Filter = (value: unknown, scope: Scope) => unknown

/** The filters, with the argument that each takes. Lists are transformed item by item. */
const FILTERS: Record<string, { argument: 'none' | 'number' | 'word'; make(argument: string): Filter }> = {
  /** 2348031234567 as +2348031234567; names and short codes stay unchanged. */
  plus: { argument: 'none', make: () => each((text) => (/^\d{7,15}$/.test(text) ? `+${text}` : text)) },
  text: { argument: 'none', make: () => each((text) => text) },
  base64: { argument: 'none', make: () => each((text) => Buffer.from(text).toString('base64')) },
  /** The entry of a list with one entry; other lists stay unchanged. */
  one: { argument: 'none', make: () => (value) => (Array.isArray(value) && value.length === 1 ? value[0] : value) },
  comma: { argument: 'none', make: () => (value) => (Array.isArray(value) ? value.map(asText).join(',') : value) },
  /** Seconds as whole minutes, and as milliseconds. */
  minutes: { argument: 'none', make: () => number((seconds) => Math.max(1, Math.round(seconds / 60))) },
  milliseconds: { argument: 'none', make: () => number((seconds) => Math.round(1_000 * seconds)) },
  at_most: { argument: 'number', make: (most) => number((value) => Math.min(value, Number(most))) },
  at_least: { argument: 'number', make: (least) => number((value) => Math.max(value, Number(least))) },
  /** The word if the value is present and not false, otherwise nothing. `options.NAME` stands for that option's value. */
  then: { argument: 'word', make: (word) => (value, scope) => (isThere(value) ? wordOf(word, scope) : undefined) },
  /** The word if the value is missing. */
  else: { argument: 'word', make: (word) => (value, scope) => (isThere(value) ? value : wordOf(word, scope)) },
}

/** Parses `at_most 36000`, or returns the predicate of a sentence about what is wrong. */
export function parseFilter(text: string): Filter | { fault: string } {
  const [name = '', ...rest] = text.trim().split(' ')
  const argument = rest.join(' ').trim()
  const found = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined
  if (!found) return { fault: `has the filter ${name}; there are ${Object.keys(FILTERS).join(', ')}` }
  const fits = {
    none: argument === '',
    number: /^\d{1,12}$/.test(argument),
    word: argument !== '',
  }
  if (!fits[found.argument]) {
    return { fault: `wants ${found.argument === 'none' ? 'nothing' : `a ${found.argument}`} behind the filter ${name}` }
  }
  return found.make(argument)
}

function each(change: (text: string) => string): Filter {
  const one = (value: unknown): unknown => {
    const text = asText(value)
    return text === undefined ? undefined : change(text)
  }
  return (value) => (Array.isArray(value) ? value.map(one) : one(value))
}

function number(change: (value: number) => number): Filter {
  return (value) => (typeof value === 'number' && Number.isFinite(value) ? change(value) : undefined)
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== ''
}

/** A word that looks like a number is a number in JSON. */
function wordOf(word: string, scope: Scope): unknown {
  const path = parsePath(word, ['options'])
  if (!('fault' in path) && path.length === 2) return readPath(scope, path)
  return /^-?\d{1,12}$/.test(word) ? Number(word) : word
}
