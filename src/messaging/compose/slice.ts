import type { Channel } from '../../carriers/message-carrier.ts'
import { refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import { DND_ROUTE, OPTED_OUT_ROUTE, WINDOW_ROUTE } from '../dispatch/refusing-carrier.ts'
import type { Sender } from '../draft.ts'
import type { RouteClass } from '../settings.ts'
import { readAudience } from './audience.ts'
import { checkSender } from './check.ts'
import type { ComposeDeps } from './deps.ts'
import type { Plan } from './plan.ts'
import { priceTexts, type Priced } from './price.ts'
import { checkApproved } from './sender-approval.ts'
import type { PersonalValues, Source } from './source.ts'
import { writeOwnTexts, writeSharedText, type Texts, type Told, type Wording } from './texts.ts'
import { findWays, type Way } from './routing.ts'
import { obeyWhatsapp } from './whatsapp.ts'

/** Why somebody does not get a message that others get. */
export type LeftOutReason = 'opted_out' | 'dnd' | 'no_route' | 'incomplete' | 'too_long' | 'no_window'

export type SliceMessage = {
  channel: Channel
  sender_id: string | null
  route_class: RouteClass
  smart_encoding: boolean
  is_trackable: boolean
  /** The words; values are given with the people. */
  source: Source
}

/** Somebody with the values for the placeholders. */
export type SlicePerson = { recipient: string; substitutions: Record<string, string> }

/**
 * Works a message out for some of its recipients, each number once, by the same rules as one that is sent in a request.
 * But where a request is refused whole, here whoever cannot get it is left out, with the reason.
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
  const tariff = deps.tariffOf(sender)
  const audience = await readAudience(deps, tariff, { organisation_id, has_optouts, channel, route_class, recipients })
  const left_out = new Map<string, LeftOutReason>()
  const ways = findWays(deps.dnd, tariff, audience, { channel, route_class, recipients }).filter((way) => {
    const reason = reasonOf(way)
    if (reason) left_out.set(way.recipient, reason)
    return reason === undefined
  })
  const { texts, kept } = await write(source, ways, { channel, smart_encoding, track_at }, left_out)
  const faults: Fault[] = []
  const asked = priceTexts(channel, kept, texts, faults)
  const rules = { ...deps, closed_windows: 'skip' as const }
  const priced =
    channel === 'whatsapp' ? await obeyWhatsapp(rules, organisation_id, source, asked, asSms, faults) : asked
  refuseIfFaulty(faults)
  const going = priced.flatMap((one, n) => (one.route === WINDOW_ROUTE ? [] : [{ one, n }]))
  for (const { recipient, route } of priced) if (route === WINDOW_ROUTE) left_out.set(recipient, 'no_window')
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

  /** What WhatsApp does not take, as an SMS of the same words, where that can be. */
  async function asSms(positions: readonly number[]): Promise<(Priced | undefined)[]> {
    const own = positions.map((n) => asked[n]?.recipient ?? '')
    checkSender(sender_id ?? undefined, null, 'sms', faults, sender.sends_from_numbers)
    checkApproved(deps, sender, { sender_id, channel: 'sms' }, faults)
    const own_ways = findWays(deps.dnd, tariff, audience, { channel: 'sms', route_class, recipients: own })
    const sms = await write(source, own_ways, { channel: 'sms', smart_encoding: false, track_at }, new Map())
    const by_number = new Map(priceTexts('sms', sms.kept, sms.texts, []).map((one) => [one.recipient, one]))
    return positions.map((n) => {
      const by_whatsapp = asked[n]
      const by_sms = by_number.get(by_whatsapp?.recipient ?? '')
      return by_sms ?? (by_whatsapp && { ...by_whatsapp, charge: 0n, route: WINDOW_ROUTE })
    })
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

function reasonOf({ route, per_page }: Way): LeftOutReason | undefined {
  if (route === OPTED_OUT_ROUTE) return 'opted_out'
  if (route === DND_ROUTE) return 'dnd'
  return route === undefined || per_page === undefined ? 'no_route' : undefined
}

/** Of each recipient the first fault says why it is left out. */
const ONE_EACH: Told = { each: 1, in_all: Infinity }

/** The texts of those who can get one. */
async function write(
  source: Source,
  ways: readonly Way[],
  wording: Wording,
  left_out: Map<string, LeftOutReason>,
): Promise<{ texts: Texts; kept: readonly Way[] }> {
  const faults: Fault[] = []
  if (!source.personal) {
    const texts = writeSharedText(source, ways, wording, faults)
    if (faults.length === 0) return { texts, kept: ways }
    for (const { recipient } of ways) left_out.set(recipient, 'too_long')
    return { texts, kept: [] }
  }
  const texts = await writeOwnTexts(source.personal, ways, wording, faults, ONE_EACH)
  for (const { field, type } of faults) {
    const [recipient = ''] = field.split('.')
    if (type === 'unknown_placeholder' || !left_out.has(recipient)) {
      left_out.set(recipient, type === 'unknown_placeholder' ? 'incomplete' : 'too_long')
    }
  }
  const places = ways.flatMap(({ recipient }, n) => (left_out.has(recipient) ? [] : [n]))
  return {
    texts: { ...texts, of: (n) => texts.of(places[n] ?? 0) },
    kept: places.flatMap((n) => ways[n] ?? []),
  }
}
