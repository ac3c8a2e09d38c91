/** The code beside the sentence of what was thrown: `ENOENT` of the system, `23505` of PostgreSQL. */
export function codeOf(fault: unknown): string | undefined {
  if (!(fault instanceof Error) || !('code' in fault)) return undefined
  return typeof fault.code === 'string' || typeof fault.code === 'number' ? String(fault.code) : undefined
}

/** Its sentence. Anything can be thrown. */
export function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault)
}

/** Itself, if it is an error; one that says the same, if not. */
export function asError(fault: unknown): Error {
  return fault instanceof Error ? fault : new Error(String(fault))
}
