import { appendFileSync } from 'node:fs'

/**
 * Every test of this folder has two forms: `npm test` runs the short one, `npm run faults` the long one. They are the
 * same test with other numbers.
 */
export const LONG = process.env.GANGAN_FAULTS === 'long'

/** `npm run fuzz`: the fuzz takes the time it takes. */
export const WHOLE = process.env.GANGAN_FUZZ === 'whole'

export function scale<T>(short: T, long: T): T {
  return LONG ? long : short
}

/** Figures of one promise, for docs/faults.md. `goal` is what the long form is asked for. */
export type Figure = { promise: string; figure: string; goal?: string; met?: boolean }

/** What is better shown as a table. */
export type Table = { title: string; text: string; head: readonly string[]; rows: readonly (readonly string[])[] }

/** Notes what was seen. The command that runs the long forms collects it; otherwise it goes nowhere. */
export function note(figure: Figure): void {
  const file = process.env.GANGAN_FAULTS_FIGURES
  if (file) appendFileSync(file, `${JSON.stringify(figure)}\n`)
}

export function noteTable(table: Table): void {
  const file = process.env.GANGAN_FAULTS_FIGURES
  if (file) appendFileSync(file, `${JSON.stringify(table)}\n`)
}

export const count = (n: number): string => n.toLocaleString('en')
