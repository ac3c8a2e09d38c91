/** The code of a thrown value: `ENOENT` from the system, `23505` from PostgreSQL. */
export function codeOf(fault: unknown): string | undefined {
  if (!(fault instanceof Error) || !('code' in fault)) return undefined
  return typeof fault.code === 'string' || typeof fault.code === 'number' ? String(fault.code) : undefined
}

/** The message of a thrown value of any type. */
export function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault)
}

/** Wraps a thrown value in an error unless it is one. */
export function asError(fault: unknown): Error {
  return fault instanceof Error ? fault : new Error(String(fault))
}
