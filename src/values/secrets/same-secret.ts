import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether two secrets are the same. It takes as long for every text, of whatever length: time tells nothing of either. */
export function isSameSecret(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
