/** A text with `{{name}}` or `{{name|default}}` in it: what stands between the placeholders, and these. */
export type Pattern = { pieces: string[]; placeholders: Placeholder[] }

export type Placeholder = { name: string; default?: string }

/** A piece more than there are placeholders. Braces around nothing are not a placeholder but text. */
export function readPattern(content: string): Pattern {
  const pieces: string[] = []
  const placeholders: Placeholder[] = []
  let end = 0
  for (const { 0: whole, 1: inside = '', index } of content.matchAll(BRACES)) {
    const [name = '', ...rest] = inside.split('|')
    if (name.trim() === '') continue
    pieces.push(content.slice(end, index))
    placeholders.push({ name: name.trim(), ...(rest.length > 0 ? { default: rest.join('|').trim() } : {}) })
    end = index + whole.length
  }
  return { pieces: [...pieces, content.slice(end)], placeholders }
}

/** The text with values in place; names that have neither a value nor a default are handed to `miss`. */
export function fillPattern(
  { pieces, placeholders }: Pattern,
  valueOf: (name: string) => string | undefined,
  miss: (name: string) => unknown,
): string {
  let text = pieces[0] ?? ''
  for (const [n, { name, default: fallback }] of placeholders.entries()) {
    const value = valueOf(name) ?? fallback
    if (value === undefined) miss(name)
    text += (value ?? '') + (pieces[n + 1] ?? '')
  }
  return text
}

/** Each name once, in order of appearance; with a default only where no appearance of it lacks one. */
export function distinctPlaceholders({ placeholders }: Pattern): Placeholder[] {
  const distinct = new Map<string, Placeholder>()
  for (const { name, ...rest } of placeholders) {
    const before = distinct.get(name)
    const needed = rest.default === undefined || (before !== undefined && before.default === undefined)
    distinct.set(name, needed ? { name } : { name, ...rest, ...before })
  }
  return [...distinct.values()]
}

/** Whether every pair of braces that opens a placeholder is closed, and none is closed that was not opened. */
export function isBalanced(content: string): boolean {
  return !/\{\{|\}\}/.test(content.replace(BRACES, ' '))
}

// Nothing in it can match in two ways, so that a long text of braces takes no longer than any other.
const BRACES = /\{\{([^{}]*)\}\}/g
