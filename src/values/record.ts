/** Whether fields can be looked for in it, as in what comes from outside: an object or a list, and not null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** The keys of an object whose type names them all, as that type has them. */
export function keysOf<T extends object>(record: T): Extract<keyof T, string>[] {
  const keys: Extract<keyof T, string>[] = []
  for (const key in record) keys.push(key)
  return keys
}

/** Fields without a value are left out of answers, not null. */
export function present<K extends string, V>(key: K, value: V | null | undefined): { [P in K]?: V } {
  const fields: { [P in K]?: V } = {}
  if (value !== null && value !== undefined) fields[key] = value
  return fields
}
