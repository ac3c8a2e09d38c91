import { Refusal } from './refusal.ts'

/**
 * A retry gets the first answer again, also where it would be refused by now: its time is over, its template is gone, a
 * limit is used up. Whoever takes that refusal for the answer to both sends, and pays, a second time. The first request
 * is looked for (`find`) only when this one is refused; the same key for something else leaves it so.
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
