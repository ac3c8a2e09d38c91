import { adviceFor } from '../carriers/delivery-codes.ts'
import { routeQueues } from '../messaging/dispatch/queues.ts'
import type { Waits } from '../messaging/operate/show.ts'
import type { OperatorPause } from '../messaging/pauses/schema.ts'
import type { RouteSettings } from '../messaging/settings.ts'
import { choiceOf } from '../messaging/routing.ts'
import type { DeliveryStatus } from '../messaging/schema.ts'
import { forOperators, type Viewer } from '../users/viewer.ts'
import { present } from '../values/record.ts'
import type { ExplainedAttempt, ExplainedCarrier, ExplainedWait } from './schema.ts'

/** What is stored about a delivery and its carriers. */
export type Carried = {
  status: DeliveryStatus
  route: string
  /** The carrier that took it or may have it. */
  carrier: string | null
  /** Those that did not take it before. */
  tried: readonly string[] | null
  /** See `src/messaging/routing.ts`. */
  routing: number | null
  sent_datetime: string | null
  updated_datetime: string | null
  code: string | null
  description: string | null
  charge: bigint
  refunded: boolean
}

const ENDS = ['delivered', 'undelivered', 'expired', 'rejected', 'failed', 'unknown'] as const

/** The carriers of a delivery's route, in their order, and what each had to do with it. */
export function explainCarriers(
  carriers: readonly string[],
  delivery: Carried,
  queue: string | undefined,
  viewer: Viewer,
): ExplainedCarrier[] {
  const queues = routeQueues(delivery.route, carriers)
  const has_it = delivery.carrier === null ? -1 : carriers.indexOf(delivery.carrier)
  const is_chosen = choiceOf(delivery.routing) !== undefined
  const rejected_by = rejectingCarrier(carriers, delivery)
  return carriers.map((name, n): ExplainedCarrier => {
    const result = (): ExplainedCarrier['result'] => {
      if (delivery.tried?.includes(name)) return 'rejected'
      if (n === has_it) return delivery.sent_datetime === null ? 'possible' : 'accepted'
      if (is_chosen && has_it >= 0) return 'not_chosen'
      if (n < has_it) return 'skipped'
      if (has_it >= 0) return 'untried'
      if (delivery.status === 'queued') return queue === queues[n] ? 'waiting' : 'untried'
      if (isEndedBySome(delivery)) return name === rejected_by ? 'rejected' : 'unknown'
      return 'untried'
    }
    return { place: n + 1, ...forOperators(viewer, { carrier: name }), result: result() }
  })
}

/** The carriers of a route before anything was submitted: which are paused, and which one comes first or may be chosen. */
export function carriersNow(
  carriers: readonly string[],
  { name: route, choose }: Pick<RouteSettings, 'name' | 'choose'>,
  pauses: readonly Pick<OperatorPause, 'kind' | 'name' | 'mode'>[],
  viewer: Viewer,
): ExplainedCarrier[] {
  const modeOf = (carrier: string) =>
    pauses.find(({ kind, name }) => (kind === 'route' ? name === route : name === carrier))?.mode
  const first = carriers.find((carrier) => modeOf(carrier) === undefined)
  return carriers.map((name, n) => ({
    place: n + 1,
    ...forOperators(viewer, { carrier: name }),
    result: modeOf(name) ?? (choose !== 'order' ? 'candidate' : name === first ? 'first' : 'untried'),
  }))
}

/** The attempts that are stored, oldest first, with what the carriers answered and reported. */
export function explainAttempts(carriers: readonly string[], delivery: Carried, viewer: Viewer): ExplainedAttempt[] {
  const by = (carrier: string | null | undefined): Pick<ExplainedAttempt, 'place' | 'carrier'> => {
    const place = carriers.indexOf(carrier ?? '') + 1
    return {
      ...present('place', place === 0 ? undefined : place),
      ...forOperators(viewer, present('carrier', carrier)),
    }
  }
  const attempts: ExplainedAttempt[] = (delivery.tried ?? []).map((name) => ({ ...by(name), result: 'moved_on' }))
  if (delivery.sent_datetime !== null) {
    attempts.push({ ...by(delivery.carrier), result: 'accepted', created_datetime: delivery.sent_datetime })
  }
  const end = ENDS.find((status) => status === delivery.status)
  if (end) {
    attempts.push({
      ...by(delivery.carrier ?? rejectingCarrier(carriers, delivery)),
      result: end,
      ...present('code', delivery.code),
      ...present('description', delivery.description),
      ...present('advice', adviceFor(delivery)),
      ...present('created_datetime', delivery.updated_datetime),
    })
  }
  return attempts
}

/** The carrier that rejected it is not stored; it is known where there was only one left. */
function rejectingCarrier(carriers: readonly string[], delivery: Carried): string | undefined {
  if (delivery.carrier !== null || !isEndedBySome(delivery) || delivery.status === 'failed') return undefined
  const left = carriers.filter((name) => !delivery.tried?.includes(name))
  return left.length === 1 ? left[0] : undefined
}

/** Codes of deliveries that were rejected without a carrier. */
const OWN_CODES = ['opted_out', 'dnd', 'binary', 'media_gone', 'number']

/** A carrier may have rejected it. What fails may also have expired, or been canceled with its file. */
function isEndedBySome({ status, code }: Carried): boolean {
  return status === 'failed' || (status === 'rejected' && !OWN_CODES.includes(code ?? ''))
}

export function explainWait({ reason, attempts, until, detail }: Waits, viewer: Viewer): ExplainedWait {
  return { reason, attempts, ...present('until', until), ...forOperators(viewer, { detail }) }
}
