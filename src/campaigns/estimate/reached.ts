import { moneyToNumber } from '../../values/money.ts'
import type { SliceEntry } from '../message.ts'
import type { LeftOut, Sample } from '../schema.ts'

/** Somebody who gets it, with what it costs. */
export type Reached = {
  entry: SliceEntry
  text_number: number
  country: string
  encoding: string
  pages: number
  charge: bigint
  /** Written only for the few that are shown. */
  text: () => string
}

export type Left = { written: string; reason: LeftOut }

export function sampleOf({ entry, text_number, encoding, pages, charge, text }: Reached): Sample {
  const cost = moneyToNumber(charge)
  return { recipient: entry[0], text: text(), text_number: text_number + 1, encoding, pages, charge: cost }
}
