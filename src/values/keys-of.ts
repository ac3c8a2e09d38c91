/** The keys of an object whose type names them all, as that type has them. */
export function keysOf<T extends object>(record: T): Extract<keyof T, string>[] {
  const keys: Extract<keyof T, string>[] = []
  for (const key in record) keys.push(key)
  return keys
}
