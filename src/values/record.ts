/** Whether fields can be looked for in it, as in what comes from outside: an object or a list, and not null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
