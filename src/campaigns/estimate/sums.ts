import type { CampaignRow } from '../store.ts'
import { sampleOf, type Left, type Reached } from './reached.ts'

export type Sums = Pick<CampaignRow, 'sizes' | 'left_out' | 'samples'> & { people: number; charge: bigint }

const FIRST_SAMPLES = 3

/** What was found so far, and what a further step has found. */
export function addUp(before: Sums, reached: readonly Reached[], left: readonly Left[]): Sums {
  const sizes = { ...before.sizes }
  const left_out = { ...before.left_out }
  const samples = [...before.samples]
  let { people, charge } = before
  let longest = samples.reduce((most, { pages }) => Math.max(most, pages), 0)
  let last: Reached | undefined
  for (const one of reached) {
    people += 1
    charge += one.charge
    const key = `${one.text_number + 1} ${one.encoding} ${one.pages}`
    const [count, cost] = sizes[key] ?? [0, 0]
    sizes[key] = [count + 1, cost + Number(one.charge)]
    if (samples.length < FIRST_SAMPLES) samples.push(sampleOf(one))
    else if (one.pages > longest) last = one
    longest = Math.max(longest, one.pages)
  }
  if (last) samples[FIRST_SAMPLES] = sampleOf(last)
  for (const { reason } of left) left_out[reason] = (left_out[reason] ?? 0) + 1
  return { sizes, left_out, samples, people, charge }
}
