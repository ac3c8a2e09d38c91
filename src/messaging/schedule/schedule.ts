import { answerTime, readMoment } from '../../values/time/moment.ts'
import type { Fault } from '../../values/refusal.ts'
import type { DraftDelivery, Sender } from '../draft.ts'
import { makeQuietHours } from './quiet-hours.ts'
import { DND_ROUTE, OPTED_OUT_ROUTE } from '../dispatch/refusing-carrier.ts'
import type { RouteClass } from '../settings.ts'

/** Latest accepted `send_at`. */
const LONGEST_DAYS = 35
/** Clocks differ and requests take time: a moment that has just passed means now. */
const TOLERANCE_MS = 60_000
const DAY_MS = 86_400_000

export const NO_MOMENT = 'This is not a date-time with its offset, such as 2026-12-24T18:00:00+01:00.'

/** Reads `send_at`; undefined: the message is sent immediately. */
export function readSendAt(given: unknown, faults: Fault[], now: number = Date.now()): string | undefined {
  if (typeof given !== 'string') return undefined
  const at = readMoment(given)
  const fault = (message: string): undefined => {
    faults.push({ field: 'send_at', message, type: 'date_invalid' })
  }
  if (at === undefined) return fault(NO_MOMENT)
  if (at < now - TOLERANCE_MS) return fault('This time is over.')
  if (at > now + LONGEST_DAYS * DAY_MS) return fault(`This is more than ${LONGEST_DAYS} days ahead.`)
  return at <= now ? undefined : answerTime(at)
}

type TimeDeps = { numbers: { table: { originOf: (msisdn: string) => { country: string } } } }

/**
 * Sets `send_at` of each delivery that is not sent immediately: the requested time, and for promotional messages not before
 * the end of the recipient's quiet hours.
 */
export function setTimes(
  { numbers }: TimeDeps,
  { quiet_from, quiet_until, default_country }: Pick<Sender, 'quiet_from' | 'quiet_until' | 'default_country'>,
  { send_at, route_class }: { send_at: string | undefined; route_class: RouteClass },
  deliveries: DraftDelivery[],
): DraftDelivery[] {
  const respects_quiet = route_class === 'promotional' && quiet_from !== null && quiet_until !== null
  if (!respects_quiet) return send_at === undefined ? deliveries : deliveries.map((one) => ({ ...one, send_at }))
  const asked = send_at === undefined ? Date.now() : Date.parse(send_at)
  const endOfQuiet = makeQuietHours({ quiet_from, quiet_until }, asked)
  return deliveries.map((delivery) => {
    const refused = delivery.route === DND_ROUTE || delivery.route === OPTED_OUT_ROUTE
    const { country } = numbers.table.originOf(delivery.recipient)
    const end = refused ? undefined : endOfQuiet(country || default_country)
    const at = end === undefined ? send_at : answerTime(end)
    return at === undefined ? delivery : { ...delivery, send_at: at }
  })
}
