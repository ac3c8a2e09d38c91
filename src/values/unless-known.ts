import { Refusal } from './refusal.ts'

/**
 * Returns the response of the first request to a retry that would now be refused (its template was deleted, a limit is
 * exhausted). A client that took the refusal for the outcome of both would send, and pay, twice. `find` loads the first
 * request, only after a refusal; if the key was used for a different request, the refusal stands.
 */
export async function unlessKnown<T, Before extends { request_hash: Buffer }>(
  idempotency: { key: string; request_hash: Buffer } | undefined,
  find: (key: string) => Promise<Before | undefined>,
  work: () => Promise<T>,
  answerAgain: (before: Before) => T | Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (fault) {
    if (!idempotency || !(fault instanceof Refusal)) throw fault
    const before = await find(idempotency.key)
    if (!before?.request_hash.equals(idempotency.request_hash)) throw fault
    return answerAgain(before)
  }
}
