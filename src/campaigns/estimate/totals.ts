import { moneyToNumber } from '../../values/money.ts'
import type { SliceEntry } from '../message.ts'
import type { LeftOut, Sample } from '../schema.ts'
import type { CampaignRow } from '../store.ts'

/** A recipient of the campaign, with the charge. */
export type Reached = {
  entry: SliceEntry
  text_number: number
  country: string
  encoding: string
  pages: number
  charge: bigint
  /** Rendered only for the few samples that are shown. */
  text: () => string
}

export type Left = { written: string; reason: LeftOut }

export type Totals = Pick<CampaignRow, 'sizes' | 'left_out' | 'samples'> & { people: number; charge: bigint }

const FIRST_SAMPLES = 3

/** The totals of an estimate after a further step. */
export function addStep(before: Totals, reached: readonly Reached[], left: readonly Left[]): Totals {
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

function sampleOf({ entry, text_number, encoding, pages, charge, text }: Reached): Sample {
  const cost = moneyToNumber(charge)
  return { recipient: entry[0], text: text(), text_number: text_number + 1, encoding, pages, charge: cost }
}
