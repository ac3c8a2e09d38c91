import { fill } from '../../values/fill.ts'

export type Values = Readonly<Record<string, string | number>>

/** The console translates sentences and their parts, so that each must be a literal. */
export function say(sentence: string, values: Values = {}): string {
  return fill(sentence, values)
}

/** As in `2026-11-14 23:42:46 UTC`. */
export function momentText(timestamp: string): string {
  return `${new Date(timestamp).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
