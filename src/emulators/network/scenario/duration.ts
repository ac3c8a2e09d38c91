/** Milliseconds of a duration such as `250ms`, `1.5s`, `20m`, `6h` or `2d`; undefined if it is none. */
export function readDuration(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,9}(?:\.\d{1,6})?)(ms|s|m|h|d)$/.exec(text) ?? []
  return amount === undefined ? undefined : Number(amount) * (UNITS[unit] ?? 1)
}

/** Of a scenario, whose durations were validated. */
export function durationMs(text: string): number {
  const duration_ms = readDuration(text)
  if (duration_ms === undefined) throw new Error(`${text} is not a duration.`)
  return duration_ms
}

const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
