import type { Channel } from '../../carriers/message-carrier.ts'
import { refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import { DND_ROUTE, OPTED_OUT_ROUTE, WINDOW_ROUTE } from '../dispatch/refusing-carrier.ts'
import type { Sender } from '../draft.ts'
import type { RouteClass } from '../settings.ts'
import { readAudience } from './audience.ts'
import { checkApproved, checkSender } from './check.ts'
import type { ComposeDeps } from './deps.ts'
import type { Plan } from './plan.ts'
import { tariffFor } from './number.ts'
import { priceTexts, type Priced } from './price.ts'
import type { PersonalValues, Source } from './source.ts'
import { writeOwnTexts, writeSharedText, type Texts, type FaultLimits, type Wording } from './texts.ts'
import { routeRecipients, type RoutedRecipient } from './routing.ts'
import { applyWhatsappRules } from './whatsapp.ts'

/** Why a recipient is left out of a message. */
export type LeftOutReason = 'opted_out' | 'dnd' | 'no_route' | 'incomplete' | 'too_long' | 'no_window' | 'blocked'

export type SliceMessage = {
  channel: Channel
  sender_id: string | null
  route_class: RouteClass
  smart_encoding: boolean
  is_trackable: boolean
  /** The text; values come with the people. */
  source: Source
}

/** A recipient with the values for the placeholders. */
export type SlicePerson = { recipient: string; substitutions: Record<string, string> }

/**
 * Plans a message for a slice of its recipients, by the same rules as a single request. Instead of refusing the request,
 * it leaves out each recipient that cannot get the message, with the reason.
 */
export async function planSlice(
  deps: ComposeDeps,
  sender: Sender,
  message: SliceMessage,
  people: readonly SlicePerson[],
): Promise<{ plan: Plan; left_out: Map<string, LeftOutReason> }> {
  const { channel, sender_id, route_class, smart_encoding } = message
  const { organisation_id, has_optouts } = sender
  const source = withValues(message.source, people)
  const track_at = message.is_trackable ? `${deps.public_url}/l/` : undefined
  const recipients = people.map(({ recipient }) => recipient)
  const faults: Fault[] = []
  const tariff = await tariffFor(deps, sender, { sender_id, channel }, faults)
  const audience = await readAudience(deps, tariff, { organisation_id, has_optouts, channel, route_class, recipients })
  const left_out = new Map<string, LeftOutReason>()
  const routed = routeRecipients(deps.dnd, tariff, audience, { channel, route_class, recipients }).filter((one) => {
    const reason = deps.isBlocked(one.recipient) ? 'blocked' : reasonOf(one)
    if (reason) left_out.set(one.recipient, reason)
    return reason === undefined
  })
  const { texts, kept } = await write(source, routed, { channel, smart_encoding, track_at }, left_out)
  const asked = priceTexts(channel, kept, texts, faults)
  const rules = { ...deps, closed_windows: 'skip' as const }
  const priced =
    channel === 'whatsapp' ? await applyWhatsappRules(rules, organisation_id, source, asked, asSms, faults) : asked
  const known = new Set(recipients)
  const own_faults = faults.filter(({ field }) => known.has(recipientOf(field)))
  refuseIfFaulty(faults.filter(({ field }) => !known.has(recipientOf(field))))
  leaveOut(own_faults, left_out)
  for (const { recipient, route } of priced) if (route === WINDOW_ROUTE) left_out.set(recipient, 'no_window')
  const going = priced.flatMap((one, n) => (left_out.has(one.recipient) ? [] : [{ one, n }]))
  const own_texts = { ...texts, of: (n: number) => texts.of(going[n]?.n ?? 0) }
  const deliveries = going.map(({ one }) => one)
  const pages = deliveries.reduce((most, one) => Math.max(most, one.pages), 1)
  const plan = {
    channel,
    sender_id,
    source,
    texts: own_texts,
    track_at,
    smart_encoding,
    route_class,
    send_at: undefined,
    priced: deliveries,
    size: { ...texts.longest, pages },
    charge: deliveries.reduce((sum, { charge }) => sum + charge, 0n),
  }
  return { plan, left_out }

  /** Messages that WhatsApp does not accept as SMS with the same text, where possible. */
  async function asSms(positions: readonly number[]): Promise<(Priced | undefined)[]> {
    const own = positions.map((n) => asked[n]?.recipient ?? '')
    checkSender(sender_id ?? undefined, null, 'sms', faults, true)
    checkApproved(deps, sender, { sender_id, channel: 'sms' }, faults)
    const own_routed = routeRecipients(deps.dnd, tariff, audience, { channel: 'sms', route_class, recipients: own })
    const sms = await write(source, own_routed, { channel: 'sms', smart_encoding: false, track_at }, new Map())
    const by_number = new Map(priceTexts('sms', sms.kept, sms.texts, []).map((one) => [one.recipient, one]))
    return positions.map((n) => {
      const by_whatsapp = asked[n]
      const by_sms = by_number.get(by_whatsapp?.recipient ?? '')
      return by_sms ?? (by_whatsapp && { ...by_whatsapp, charge: 0n, price_rule_id: null, route: WINDOW_ROUTE })
    })
  }
}

/** The recipient whose values have a fault: the field begins with it. */
function recipientOf(field: string): string {
  return field.split('.')[0] ?? ''
}

function leaveOut(faults: readonly Fault[], left_out: Map<string, LeftOutReason>): void {
  for (const { field, type } of faults) {
    const recipient = recipientOf(field)
    if (type === 'string_too_long' && !left_out.has(recipient)) left_out.set(recipient, 'too_long')
    else if (type !== 'string_too_long') left_out.set(recipient, 'incomplete')
  }
}

function withValues({ personal, ...source }: Source, people: readonly SlicePerson[]): Source {
  if (!personal) return source
  const values = people.map(({ recipient, substitutions }): [string, PersonalValues] => [
    recipient,
    { field: recipient, substitutions },
  ])
  return { ...source, personal: { pattern: personal.pattern, values: new Map(values) } }
}

function reasonOf({ route, per_page }: RoutedRecipient): LeftOutReason | undefined {
  if (route === OPTED_OUT_ROUTE) return 'opted_out'
  if (route === DND_ROUTE) return 'dnd'
  return route === undefined || per_page === undefined ? 'no_route' : undefined
}

/** The first fault of each recipient is the reason why it is left out. */
const ONE_EACH: FaultLimits = { each: 1, in_all: Infinity }

/** The texts, and the recipients that can get one. */
async function write(
  source: Source,
  routed: readonly RoutedRecipient[],
  wording: Wording,
  left_out: Map<string, LeftOutReason>,
): Promise<{ texts: Texts; kept: readonly RoutedRecipient[] }> {
  const faults: Fault[] = []
  if (!source.personal) {
    const texts = writeSharedText(source, routed, wording, faults)
    if (faults.length === 0) return { texts, kept: routed }
    for (const { recipient } of routed) left_out.set(recipient, 'too_long')
    return { texts, kept: [] }
  }
  const texts = await writeOwnTexts(source.personal, routed, wording, faults, ONE_EACH)
  leaveOut(faults, left_out)
  const places = routed.flatMap(({ recipient }, n) => (left_out.has(recipient) ? [] : [n]))
  return {
    texts: { ...texts, of: (n) => texts.of(places[n] ?? 0) },
    kept: places.flatMap((n) => routed[n] ?? []),
  }
}
