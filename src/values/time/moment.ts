/** A timestamp as the API writes it: `2026-11-14T23:42:46.539000+00:00`. */
export function answerTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000+00:00`
}

/**
 * The milliseconds of a date-time with an offset, or undefined if it does not exist: `Date` would read 30 February as
 * 2 March, and PostgreSQL would fail on it.
 */
export function readMoment(text: string): number | undefined {
  const { day, date, clock, seconds, fraction, hours, minutes } = MOMENT.exec(text.trim())?.groups ?? {}
  if (new Date(`${day}T00:00:00Z`).getUTCDate() !== Number(date)) return undefined
  const offset = hours === undefined ? 'Z' : `${hours}:${minutes ?? '00'}`
  const at = Date.parse(`${day}T${clock}:${seconds ?? '00'}.${(fraction ?? '0').slice(0, 3)}${offset}`)
  // The offset may lead beyond the year 9999, which neither `Date` nor PostgreSQL parses.
  return at <= LAST ? at : undefined
}

/** Whether PostgreSQL accepts the timestamp: years 1 to 9999. */
export function isInYears(ms: number): boolean {
  return ms >= FIRST && ms <= LAST
}

const FIRST = Date.parse('0001-01-01T00:00:00.000Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

const MOMENT =
  /^(?<day>\d{4}-\d{2}-(?<date>\d{2}))T(?<clock>\d{2}:\d{2})(:(?<seconds>\d{2})([.,](?<fraction>\d{1,9}))?)?(Z|(?<hours>[+-]\d{2}):?(?<minutes>\d{2})?)$/i
