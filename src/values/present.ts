/** Fields without a value are left out of answers, not null. */
export function present<K extends string, V>(key: K, value: V | null | undefined): { [P in K]?: V } {
  const fields: { [P in K]?: V } = {}
  if (value !== null && value !== undefined) fields[key] = value
  return fields
}
