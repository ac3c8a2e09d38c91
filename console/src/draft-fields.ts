/** Never stored, whatever a form holds. */
const SECRET = new Set(['password', 'secret', 'token', 'code', 'totp'])

/** The fields that are not as they were, without secrets. */
export function differing<T extends object>(start: T, value: T): Partial<T> {
  const before = new Map<string, unknown>(Object.entries(start))
  const fields = Object.entries(value).filter(
    ([name, field]) => !SECRET.has(name) && JSON.stringify(field) !== JSON.stringify(before.get(name)),
  )
  const part: Partial<T> = {}
  return Object.assign(part, Object.fromEntries(fields))
}

/** The fields of a stored draft that this form still has, in the form they have here. */
export function readKept<T extends object>(text: string | null, initial: T): Partial<T> {
  const part: Partial<T> = {}
  try {
    const { fields = {} }: { fields?: object } = JSON.parse(text ?? '{}')
    const known = new Map<string, unknown>(Object.entries(initial))
    const fitting = Object.entries(fields).filter(([name, field]) => known.has(name) && isLike(field, known.get(name)))
    return Object.assign(part, Object.fromEntries(fitting))
  } catch {
    return part
  }
}

function isLike(field: unknown, other: unknown): boolean {
  return field !== null && typeof field === typeof other && Array.isArray(field) === Array.isArray(other)
}
