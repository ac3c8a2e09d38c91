/** A text with `{{name}}` or `{{name|default}}` in it, split into its placeholders and the literals around them. */
export type Pattern = { literals: string[]; placeholders: Placeholder[] }

export type Placeholder = { name: string; default?: string }

/** Parses a text. There is one literal more than placeholders; empty braces are literal text. */
export function readPattern(content: string): Pattern {
  const literals: string[] = []
  const placeholders: Placeholder[] = []
  let end = 0
  for (const { 0: whole, 1: inside = '', index } of content.matchAll(BRACES)) {
    const [name = '', ...rest] = inside.split('|')
    if (name.trim() === '') continue
    literals.push(content.slice(end, index))
    placeholders.push({ name: name.trim(), ...(rest.length > 0 ? { default: rest.join('|').trim() } : {}) })
    end = index + whole.length
  }
  return { literals: [...literals, content.slice(end)], placeholders }
}

/** Fills in the values; calls `miss` with each name that has neither a value nor a default. */
export function fillPattern(
  { literals, placeholders }: Pattern,
  valueOf: (name: string) => string | undefined,
  miss: (name: string) => unknown,
): string {
  let text = literals[0] ?? ''
  for (const [n, { name, default: fallback }] of placeholders.entries()) {
    const value = valueOf(name) ?? fallback
    if (value === undefined) miss(name)
    text += (value ?? '') + (literals[n + 1] ?? '')
  }
  return text
}

/** Each name once, in order of occurrence; with a default only if every occurrence has one. */
export function distinctPlaceholders({ placeholders }: Pattern): Placeholder[] {
  const distinct = new Map<string, Placeholder>()
  for (const { name, ...rest } of placeholders) {
    const before = distinct.get(name)
    const needed = rest.default === undefined || (before !== undefined && before.default === undefined)
    distinct.set(name, needed ? { name } : { name, ...rest, ...before })
  }
  return [...distinct.values()]
}

/** Whether double braces are balanced. */
export function isBalanced(content: string): boolean {
  return !/\{\{|\}\}/.test(content.replace(BRACES, ' '))
}

// Matches in one way only, so that a long text of braces takes linear time.
const BRACES = /\{\{([^{}]*)\}\}/g
