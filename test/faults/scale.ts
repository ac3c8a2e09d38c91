import { appendFileSync } from 'node:fs'

/**
 * Every test of this folder has two variants, which differ in numbers only: `npm test` runs the short one, `npm run
 * faults` the long one.
 */
export const LONG = process.env.GANGAN_FAULTS === 'long'

/** `npm run fuzz`: without a time limit. */
export const WHOLE = process.env.GANGAN_FUZZ === 'whole'

export function scale<T>(short: T, long: T): T {
  return LONG ? long : short
}

/** Results for one guarantee, for docs/faults.md. `goal` is the target of the long variant. */
export type Figure = { promise: string; figure: string; goal?: string; met?: boolean }

/** Results that are shown as a table. */
export type Table = { title: string; text: string; head: readonly string[]; rows: readonly (readonly string[])[] }

/** Records a result. The command that runs the long variants collects them; otherwise they are discarded. */
export function note(figure: Figure): void {
  const file = process.env.GANGAN_FAULTS_FIGURES
  if (file) appendFileSync(file, `${JSON.stringify(figure)}\n`)
}

export function noteTable(table: Table): void {
  const file = process.env.GANGAN_FAULTS_FIGURES
  if (file) appendFileSync(file, `${JSON.stringify(table)}\n`)
}

export const count = (n: number): string => n.toLocaleString('en')
