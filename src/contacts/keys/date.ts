const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?$/i

/**
 * A date (`2026-01-31`) or a time (`2026-01-31T09:30:00+01:00`; UTC when it names no offset) as text that sorts by
 * time. A date is its midnight. Undefined when it is neither, or a day no calendar has.
 */
export function dateKey(text: string): string | undefined {
  const match = DATE.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] = match
  const zone = offset.toUpperCase() === 'Z' ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(-2)}`
  const date = `${year}-${month}-${day}`
  const known = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(known.getTime()) || known.toISOString().slice(0, 10) !== date) return undefined
  const time = new Date(`${date}T${hour}:${minute}:${second}${zone}`)
  if (Number.isNaN(time.getTime()) || Number(hour) > 23) return undefined
  const utc = time.toISOString()
  // A time zone may lead out of the years that sort as text.
  return /^\d{4}-/.test(utc) ? `${utc.slice(0, 19)}.${fraction.padEnd(9, '0')}` : undefined
}
