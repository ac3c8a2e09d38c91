/** Whether an untrusted value is an object or an array, so that its fields can be read. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** The keys of an object, typed as its type declares them. */
export function keysOf<T extends object>(record: T): Extract<keyof T, string>[] {
  const keys: Extract<keyof T, string>[] = []
  for (const key in record) keys.push(key)
  return keys
}

/** A field, or nothing if it has no value: responses omit such fields rather than set them to null. */
export function present<K extends string, V>(key: K, value: V | null | undefined): { [P in K]?: V } {
  const fields: { [P in K]?: V } = {}
  if (value !== null && value !== undefined) fields[key] = value
  return fields
}

/** Required where the row's field always has a value, optional where it may be null or undefined. */
type Picked<Row, K extends keyof Row> = {
  [P in K as null extends Row[P] ? never : undefined extends Row[P] ? never : P]: Row[P]
} & {
  [P in K as null extends Row[P] ? P : undefined extends Row[P] ? P : never]?: NonNullable<Row[P]>
}

/** These fields of a row, without those that have no value. */
export function pickPresent<Row extends object, K extends keyof Row>(row: Row, ...keys: K[]): Picked<Row, K>
export function pickPresent<Row extends object>(row: Row, ...keys: (keyof Row)[]): object {
  const fields: Partial<Row> = {}
  for (const key of keys) if (row[key] !== null && row[key] !== undefined) fields[key] = row[key]
  return fields
}
