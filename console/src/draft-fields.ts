/** Never stored, whatever a form holds. */
const SECRET = new Set(['password', 'secret', 'token', 'code', 'totp'])

/** The fields that are not as they were, without secrets. */
export function differing<T extends object>(start: T, value: T): Partial<T> {
  const before = new Map<string, unknown>(Object.entries(start))
  const fields = Object.entries(value).filter(([name, field]) => !SECRET.has(name) && !isSame(field, before.get(name)))
  const part: Partial<T> = {}
  return Object.assign(part, Object.fromEntries(fields))
}

/** These fields of a form, as they are in it. */
export function pick<T extends object>(value: T, names: readonly string[]): Partial<T> {
  const part: Partial<T> = {}
  return Object.assign(part, Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name))))
}

/** `is_outdated`: what the form started from has changed since, to something else than what was written. */
type Kept<T> = { fields: Partial<T>; is_outdated: boolean }

/** The fields of a stored draft that this form still has, in the form they have here, and that are not saved. */
export function readKept<T extends object>(text: string | null, initial: T): Kept<T> {
  const part: Partial<T> = {}
  try {
    const { fields = {}, base = {} }: { fields?: object; base?: object } = JSON.parse(text ?? '{}')
    const known = new Map<string, unknown>(Object.entries(initial))
    const bases = new Map<string, unknown>(Object.entries(base))
    const fitting = Object.entries(fields).filter(([name, field]) => {
      const now = known.get(name)
      return known.has(name) && isLike(field, now) && !isSame(field, now)
    })
    return {
      fields: Object.assign(part, Object.fromEntries(fitting)),
      is_outdated: fitting.some(([name]) => bases.has(name) && !isSame(bases.get(name), known.get(name))),
    }
  } catch {
    return { fields: part, is_outdated: false }
  }
}

function isSame(field: unknown, other: unknown): boolean {
  return JSON.stringify(field) === JSON.stringify(other)
}

function isLike(field: unknown, other: unknown): boolean {
  return field !== null && typeof field === typeof other && Array.isArray(field) === Array.isArray(other)
}
