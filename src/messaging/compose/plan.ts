import type { Channel } from '../../carriers/message-carrier.ts'
import { dialPlan } from '../../values/phone/phone.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import type { SmsText } from '../../values/sms/sms-text.ts'
import { checkStorable } from '../../values/input/storable.ts'
import { readAudience } from './audience.ts'
import {
  checkApproved,
  checkCallback,
  checkPersonalisation,
  checkSender,
  checkSource,
  readChannel,
  readRouteClass,
} from './check.ts'
import type { ComposeDeps } from './deps.ts'
import type { Sender } from '../draft.ts'
import { tariffFor } from './number.ts'
import { priceTexts, type Priced } from './price.ts'
import { routeRecipients, type RoutedRecipient } from './routing.ts'
import { readTemplateSource, type Source } from './source.ts'
import { writeBinaryText, writeOwnTexts, writeSharedText, type Texts, type Wording } from './texts.ts'
import { readRecipients } from './recipients.ts'
import { readSendAt } from '../schedule/schedule.ts'
import type { SendBody } from '../schema.ts'
import type { RouteClass } from '../settings.ts'
import { readContent } from './whatsapp-content.ts'
import { checkFiles } from './whatsapp-media.ts'
import { applyWhatsappRules } from './whatsapp.ts'

/** A request, checked and priced, before link codes are drawn and anything is stored. */
export type Plan = {
  channel: Channel
  sender_id: string | null
  source: Source
  texts: Texts
  /** Prefix of tracked links; undefined if links are not tracked. */
  track_at: string | undefined
  smart_encoding: boolean
  route_class: RouteClass
  /** Requested time; undefined: immediately. */
  send_at: string | undefined
  priced: Priced[]
  /** Size of the text with the most pages. */
  size: SmsText
  charge: bigint
}

const NOTHING: Source = { content: '' }

export async function planMessage(
  deps: ComposeDeps,
  sender: Sender,
  body: Partial<SendBody>,
  shape_faults: readonly Fault[],
  /** The content is binary (`BinaryText`). */
  is_binary = false,
): Promise<Plan> {
  const faults = [...shape_faults]
  const misshapen = new Set(faults.map(({ field }) => field.replace(/[[.].*/, '')))
  const sound = <K extends keyof SendBody>(field: K): SendBody[K] | undefined =>
    misshapen.has(field) ? undefined : body[field]

  const channel = readChannel(sound('channel'), faults)
  const route_class = readRouteClass(sound('route_class'), faults)
  const numbers_too = sender.sends_from_numbers || channel === 'whatsapp'
  const sender_id = misshapen.has('sender_id')
    ? null
    : checkSender(body.sender_id, sender.default_sender_id, channel, faults, numbers_too)
  checkApproved(deps, sender, { sender_id, channel }, faults)
  const send_at = readSendAt(sound('send_at'), faults)
  checkSource(body, faults)
  checkCallback(sound('callback'), deps.address_mode, faults)
  checkStorable('external_ref', sound('external_ref'), faults)
  const personalisation = sound('personalisation')
  checkPersonalisation(personalisation, faults)

  const { organisation_id } = sender
  const dial_plan = dialPlan(sender.default_country)
  const given = sound('recipients')
  const before = faults.length
  const recipients = given === undefined ? [] : await readRecipients(deps, given, dial_plan, faults)
  const faulty = given === undefined || faults.length > before
  const whatsapp = sound('whatsapp')
  const session = whatsapp && readContent(whatsapp, body, channel, faults)
  if (session && session.files.length > 0)
    await checkFiles(deps, sender.organisation_id, session.files, send_at, faults)
  const text = sound('content') ?? session?.stand_in
  const source = body.template_id === undefined ? freeSource(text, session) : await templateSource()
  const smart_encoding = sound('smart_encoding') ?? sender.smart_encoding
  const track_at = sound('is_trackable') === true ? `${deps.public_url}/l/` : undefined
  const tariff = await tariffFor(deps, sender, { sender_id, channel }, faults)
  const { has_optouts } = sender
  const audience = await readAudience(deps, tariff, { organisation_id, has_optouts, channel, route_class, recipients })
  const routed = routeRecipients(deps.dnd, tariff, audience, { channel, route_class, recipients })
  // Values that could not be read are not reported as missing, too.
  const text_faults = source?.personal && misshapen.has('personalisation') ? [] : faults
  const texts = await write(
    routed,
    { channel, smart_encoding, track_at, most: session?.most || undefined },
    source ? text_faults : [],
  )
  const asked = priceTexts(channel, routed, texts, faults)
  const priced =
    channel === 'whatsapp' && source && (faults.length === 0 || source.whatsapp)
      ? await applyWhatsappRules({ ...deps, send_at }, organisation_id, source, asked, asSms, text_faults)
      : asked
  // An unknown template alone is a 404; with other faults it is one of them.
  if (faults.length > 0 && !source && sound('template_id') !== undefined) faults.push(...unknownTemplate().faults)
  refuseIfFaulty(faults)
  if (!source) throw unknownTemplate()
  const charge = priced.reduce((sum, one) => sum + one.charge, 0n)
  // Some recipients of a WhatsApp message may get it by SMS, in several pages.
  const pages = priced.reduce((most, one) => Math.max(most, one.pages), 1)
  const size = { ...texts.longest, pages }
  return { channel, sender_id, source, texts, track_at, smart_encoding, route_class, send_at, priced, size, charge }

  /** Messages that WhatsApp does not accept as SMS with the same text. */
  async function asSms(positions: readonly number[]): Promise<Priced[]> {
    const own = positions.flatMap((n) => recipients[n] ?? [])
    checkSender(sender_id ?? undefined, null, 'sms', faults, numbers_too)
    checkApproved(deps, sender, { sender_id, channel: 'sms' }, faults)
    const own_routed = routeRecipients(deps.dnd, tariff, audience, { channel: 'sms', route_class, recipients: own })
    const own_texts = await write(own_routed, { channel: 'sms', smart_encoding: false, track_at }, faults)
    return priceTexts('sms', own_routed, own_texts, faults)
  }

  async function write(routed_to: readonly RoutedRecipient[], wording: Wording, found: Fault[]): Promise<Texts> {
    if (is_binary) return writeBinaryText(source?.content ?? '', found)
    if (source?.personal) return writeOwnTexts(source.personal, routed_to, wording, found)
    return writeSharedText(source ?? NOTHING, routed_to, wording, found)
  }

  /** Undefined if the template does not exist. */
  async function templateSource(): Promise<Source | undefined> {
    const template_id = sound('template_id')
    if (template_id === undefined) return undefined
    const readers = { recipients, plan: dial_plan, faulty }
    const found = await readTemplateSource(deps, organisation_id, { template_id, personalisation }, readers, faults)
    if (!found || !whatsapp) return found
    if (found.whatsapp) {
      const message = 'The template is sent as a WhatsApp template, which has parts of its own.'
      faults.push({ field: 'whatsapp', message, type: 'invalid' })
    }
    return { ...found, session }
  }
}

function freeSource(content: string | undefined, session: Source['session']): Source | undefined {
  return content === undefined ? undefined : { content, session }
}

function unknownTemplate(): Refusal {
  const message = 'There is no such template.'
  return new Refusal('not_found', message, [{ field: 'template_id', message, type: 'not_found' }])
}
