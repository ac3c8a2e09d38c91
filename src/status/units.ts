/** Bytes in a unit that keeps the number short. */
export function bytesInWords(bytes: number): string {
  const step = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1_000 ** step
  return `${value >= 100 || step === 0 ? Math.round(value) : value.toFixed(1)} ${UNITS[step]}`
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']

/** Seconds in hours, minutes or seconds, of which there are at least two. */
export function secondsInWords(seconds: number): string {
  const [length, unit] = SPANS.find(([one]) => seconds >= 2 * one) ?? [1, 's']
  return `${Math.round(seconds / length)} ${unit}`
}

const SPANS = [
  [3_600, 'h'],
  [60, 'min'],
] as const

/** `1 day`, `2 days`; the console translates them (`console/src/pages/status/finding-words.ts`). */
export function countInWords(n: number, counted: Counted): string {
  return `${n} ${counted}${n === 1 ? '' : 's'}`
}

export type Counted = 'day' | 'connection' | 'callback'

export function percentInWords(share: number): string {
  return `${Math.floor(100 * share)} %`
}
