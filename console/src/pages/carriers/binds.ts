import type { Bucket } from '../../types.ts'

export const CARRIERS = '/console/api/carriers'
export const PHONES = '/console/api/phones'

/** Within how many milliseconds that part of the answers came; undefined without answers, null beyond the last bucket. */
export function answeredWithin(buckets: readonly Bucket[], part: number): number | null | undefined {
  const wanted = part * buckets.reduce((sum, { count }) => sum + count, 0)
  if (wanted === 0) return undefined
  let sum = 0
  for (const { up_to, count } of buckets) {
    sum += count
    if (sum >= wanted) return up_to
  }
  return null
}
