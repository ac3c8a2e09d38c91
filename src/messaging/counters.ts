import { originOfErasable, type Origin } from '../numbers/prefix-table.ts'
import { ALL, type Counted } from '../observe/analytics/figures.ts'
import type { ChargeSale } from '../billing/charge.ts'
import type { Activity } from '../observe/activity.ts'
import type { Analytics } from '../observe/analytics/counters.ts'
import { madeAt } from '../values/id.ts'
import type { Draft } from './draft.ts'
import type { Changed, MessageKind } from './settle/store.ts'

/** Figures per minute (`activity`), and per hour and dimension (`analytics`). */
export type Counters = { activity: Activity; analytics: Analytics }

/** Wraps a charge: counts the amount and the accepted deliveries, except for replayed requests. */
export function countSales<Item>(
  chargeSale: ChargeSale<Item>,
  { activity, analytics }: Counters,
  draftOf?: (item: Item) => Draft,
): ChargeSale<Item> {
  return async (organisation_id, sale) => {
    const receipt = await chargeSale(organisation_id, sale)
    if (receipt.replayed) return receipt
    activity.note(organisation_id, 'spend', Number(sale.amount))
    const draft = draftOf?.(sale.item)
    if (draft) {
      activity.note(organisation_id, 'accepted', draft.deliveries.length)
      noteAccepted(analytics, organisation_id, draft)
    }
    return receipt
  }
}

/** Counts deliveries that reached a new state, and their refunds. */
export function countSettled(
  { activity, analytics }: Counters,
  organisation_id: string,
  changed: readonly Changed[],
): void {
  for (const { status, refunded, charge } of changed) {
    activity.note(organisation_id, status, 1)
    if (refunded) activity.note(organisation_id, 'refunds', Number(charge))
  }
  noteSettled(analytics, organisation_id, changed)
}

/*
 * Analytics count every outcome in the hour in which the message was accepted, which follows from its id. So the figures
 * of an hour describe the messages accepted in it, and rates are exact.
 */

/** Counts a charged message. Recipients are added up first, so that a long list needs few updates. */
export function noteAccepted(analytics: Analytics, organisation_id: string, draft: Draft): void {
  const all = sums()
  const by_origin = new Map<Origin, Sums>()
  const by_route = new Map<string, Sums>()
  for (const { recipient, charge, pages, route } of draft.deliveries) {
    const cost = Number(charge)
    for (const own of [all, sumsIn(by_origin, originOfErasable(recipient)), sumsIn(by_route, route)]) {
      own.accepted += 1
      own.pages += pages
      own.cost += cost
    }
  }
  const at_ms = madeAt(draft.id)
  analytics.note(organisation_id, at_ms, ALL, '', all)
  analytics.note(organisation_id, at_ms, 'channel', draft.channel, all)
  analytics.note(organisation_id, at_ms, 'sender', draft.sender_id ?? '', all)
  analytics.note(organisation_id, at_ms, 'template', draft.template?.id ?? '', all)
  for (const [origin, own] of by_origin) {
    analytics.note(organisation_id, at_ms, 'country', origin.country, own)
    analytics.note(organisation_id, at_ms, 'operator', operatorName(origin), own)
  }
  for (const [route, own] of by_route) analytics.note(organisation_id, at_ms, 'route', route, own)
}

/** Counts outcomes of deliveries. If a state is later replaced by `delivered`, it is subtracted again. */
export function noteSettled(analytics: Analytics, organisation_id: string, changed: readonly Changed[]): void {
  for (const one of changed) {
    const counted: Partial<Counted> = { [figureOf(one.status)]: 1 }
    if (one.refunded) counted.refunded = Number(one.charge)
    if (one.was === 'unknown' || one.was === 'expired') counted[figureOf(one.was)] = -1
    noteDelivery(analytics, organisation_id, one, counted)
    const at_ms = madeAt(one.message_id)
    if (one.was === 'expired') {
      analytics.note(organisation_id, at_ms, 'error', one.was_code ?? one.was, { failed: -1 })
    }
    if (counted.failed === 1) {
      const { failed, refunded = 0 } = counted
      analytics.note(organisation_id, at_ms, 'error', one.code ?? one.status, { failed, refunded })
    }
  }
}

/** The fields of a delivery that determine its dimensions. */
type Kind = MessageKind & Pick<Changed, 'recipient' | 'route'>

/** Counts deliveries that were canceled before they were sent. */
export function noteCanceled(
  analytics: Analytics,
  organisation_id: string,
  canceled: readonly (Kind & { charge: bigint })[],
): void {
  for (const one of canceled) {
    noteDelivery(analytics, organisation_id, one, { canceled: 1, refunded: Number(one.charge) })
  }
}

/** Counts a delivery that was read. */
export function noteRead(analytics: Analytics, organisation_id: string, read: Kind): void {
  noteDelivery(analytics, organisation_id, read, { read: 1 })
}

/** Counts a one-time password that was requested, verified, or failed. */
export function noteOtp(
  analytics: Analytics,
  organisation_id: string,
  otp: { id: string; recipient: string },
  figure: 'otp_requested' | 'otp_verified' | 'otp_failed',
): void {
  const counted = { [figure]: 1 }
  const at_ms = madeAt(otp.id)
  const origin = originOfErasable(otp.recipient)
  analytics.note(organisation_id, at_ms, ALL, '', counted)
  analytics.note(organisation_id, at_ms, 'country', origin.country, counted)
  analytics.note(organisation_id, at_ms, 'operator', operatorName(origin), counted)
}

function noteDelivery(analytics: Analytics, organisation_id: string, kind: Kind, counted: Partial<Counted>): void {
  const at_ms = madeAt(kind.message_id)
  const origin = originOfErasable(kind.recipient)
  analytics.note(organisation_id, at_ms, ALL, '', counted)
  analytics.note(organisation_id, at_ms, 'channel', kind.channel, counted)
  analytics.note(organisation_id, at_ms, 'sender', kind.sender_id ?? '', counted)
  analytics.note(organisation_id, at_ms, 'template', kind.template_id ?? '', counted)
  analytics.note(organisation_id, at_ms, 'country', origin.country, counted)
  analytics.note(organisation_id, at_ms, 'operator', operatorName(origin), counted)
  analytics.note(organisation_id, at_ms, 'route', kind.route, counted)
}

function figureOf(status: Changed['status']): 'delivered' | 'failed' | 'unknown' {
  return status === 'delivered' || status === 'unknown' ? status : 'failed'
}

type Sums = Pick<Counted, 'accepted' | 'pages' | 'cost'>

function sums(): Sums {
  return { accepted: 0, pages: 0, cost: 0 }
}

function sumsIn<K>(known: Map<K, Sums>, key: K): Sums {
  let own = known.get(key)
  if (!own) known.set(key, (own = sums()))
  return own
}

/** Prefixed with the country, because names such as MTN exist in several. */
function operatorName({ country, operator }: Origin): string {
  return operator === '' ? country : `${country} ${operator}`
}
