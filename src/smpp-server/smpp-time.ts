/** `YYMMDDhhmmsst` and the UTC offset in quarter hours, or `R`: relative to now. */
const FORM = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\d(\d\d)([+\-R])$/

const SECOND_MS = 1_000
const DAY_MS = 86_400 * SECOND_MS
const QUARTER_MS = 900 * SECOND_MS
/** Twelve hours, by the specification. */
const MAX_QUARTERS = 48

/** Reads a time of SMPP 3.4 (7.1.1) as milliseconds; undefined: invalid. */
export function readTime(text: string, now_ms: number): number | undefined {
  const found = FORM.exec(text)
  if (!found) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, quarters = 0] = found.slice(1, 8).map(Number)
  const in_day_ms = ((hour * 60 + minute) * 60 + second) * SECOND_MS
  if (found[8] === 'R') return now_ms + (year * 365 + month * 30 + day) * DAY_MS + in_day_ms
  if (hour > 23 || minute > 59 || second > 59 || quarters > MAX_QUARTERS) return undefined
  const date = new Date(Date.UTC(2000 + year, month - 1, day))
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  const offset_ms = quarters * QUARTER_MS
  return date.getTime() + in_day_ms + (found[8] === '+' ? -offset_ms : offset_ms)
}

/** `final_date` in UTC. */
export function writeTime(moment: Date): string {
  return `${moment.toISOString().slice(2, 19).replace(/\D/g, '')}000+`
}
