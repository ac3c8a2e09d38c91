import type { AddressMode } from '../callbacks/address-guard.ts'
import type { Channel } from '../carriers/message-carrier.ts'
import { newId } from '../values/id.ts'
import { dialPlan } from '../values/phone.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../values/refusal.ts'
import type { SmsText } from '../values/sms-text.ts'
import { readAudience, type Audience, type AudienceDeps } from './audience.ts'
import {
  checkCallback,
  checkPersonalisation,
  checkPlain,
  checkSender,
  checkSource,
  checkText,
  readChannel,
  readRouteClass,
} from './check.ts'
import { readRecipients } from './recipients.ts'
import { DND_ROUTE, OPTED_OUT_ROUTE } from './refused.ts'
import { readSendAt, setTimes } from './schedule.ts'
import type { DndSetting, RouteClass, SendBody } from './schema.ts'
import { checkApproved } from './sender-approval.ts'
import type { Tariff } from './tariff.ts'

/** What a message needs to know about its organisation. */
export type Sender = {
  organisation_id: string
  mode: 'live' | 'test'
  default_country: string
  default_sender_id: string | null
  quiet_from: string | null
  quiet_until: string | null
  has_optouts: boolean
  approved_senders: readonly string[]
}

/** A message, worked out whole before anything is charged or stored. */
export type Draft = {
  id: string
  channel: Channel
  sender_id: string | null
  content: string
  personalisation: SendBody['personalisation'] | undefined
  external_ref: string | undefined
  is_trackable: boolean
  callback: string | undefined
  /** When it was asked to go. */
  send_at?: string | undefined
  encoding: 'GSM' | 'UCS-2'
  message_length: number
  pages: number
  charge: bigint
  priority: number
  /** It is not handed over later than this many seconds from now. */
  expires_in_s?: number
  deliveries: DraftDelivery[]
}

/** With a sealed text that is what is sent; the message's content is then only what may be shown of it. */
export type DraftDelivery = {
  recipient: string
  charge: bigint
  route: string
  sealed_text?: Buffer
  /** When it goes, where that is not at once. */
  send_at?: string
}

/** OTPs go before everything else, and a message to a few people does not wait behind a campaign. */
export const PRIORITY = { otp: 0, single: 1, bulk: 2 } as const
export const BULK_FROM = 100

const NO_TEXT: SmsText = { encoding: 'GSM', message_length: 0, pages: 1 }

export type ComposeDeps = AudienceDeps & {
  tariff: Tariff
  address_mode: AddressMode
  dnd: DndSetting
  /** No real carrier: any sender will do. */
  sandbox: boolean
}

/**
 * Checks a request and works the message out. `shape_faults` are what its schema found: fields they name are not
 * looked at again, and all faults are told at once.
 */
export async function compose(
  deps: ComposeDeps,
  sender: Sender,
  body: Partial<SendBody>,
  shape_faults: readonly Fault[],
): Promise<Draft> {
  const faults = [...shape_faults]
  const misshapen = new Set(faults.map(({ field }) => field.replace(/[[.].*/, '')))
  const sound = <K extends keyof SendBody>(field: K): SendBody[K] | undefined =>
    misshapen.has(field) ? undefined : body[field]

  const channel = readChannel(sound('channel'), faults)
  const route_class = readRouteClass(sound('route_class'), faults)
  const sender_id = misshapen.has('sender_id')
    ? null
    : checkSender(body.sender_id, sender.default_sender_id, channel, faults)
  checkApproved(deps, sender, { sender_id, channel }, faults)
  const send_at = readSendAt(sound('send_at'), faults)
  checkSource(body, faults)
  checkCallback(sound('callback'), deps.address_mode, faults)
  checkPlain('external_ref', sound('external_ref'), faults)
  checkPersonalisation(sound('personalisation'), faults)
  const content = body.template_id === undefined ? sound('content') : undefined
  const size = content === undefined ? NO_TEXT : checkText(content, channel, faults)
  const given = sound('recipients')
  const recipients = given === undefined ? [] : await readRecipients(given, dialPlan(sender.default_country), faults)
  const audience = await readAudience(deps, deps.tariff, { ...sender, channel, route_class, recipients })
  const priced = price(deps, audience, { channel, route_class, pages: size.pages, recipients }, faults)
  const deliveries = setTimes(deps, sender, { send_at, route_class }, priced)
  refuseIfFaulty(faults)
  if (body.template_id !== undefined) throw unknownTemplate()

  return {
    id: newId(),
    channel,
    sender_id,
    content: content ?? '',
    personalisation: body.personalisation,
    external_ref: body.external_ref,
    is_trackable: body.is_trackable ?? false,
    callback: body.callback,
    send_at,
    ...size,
    charge: deliveries.reduce((sum, { charge }) => sum + charge, 0n),
    priority: deliveries.length < BULK_FROM ? PRIORITY.single : PRIORITY.bulk,
    deliveries,
  }
}

function price(
  { tariff, dnd }: ComposeDeps,
  audience: Audience,
  message: { channel: Channel; route_class: RouteClass; pages: number; recipients: readonly string[] },
  faults: Fault[],
): Draft['deliveries'] {
  const { channel, pages, recipients } = message
  const deliveries: Draft['deliveries'] = []
  for (const [n, recipient] of recipients.entries()) {
    const silent = audience.isDnd(recipient)
    const opted_out = audience.isOptedOut(recipient)
    if (opted_out || (silent && dnd === 'skip')) {
      deliveries.push({ recipient, charge: 0n, route: opted_out ? OPTED_OUT_ROUTE : DND_ROUTE })
      continue
    }
    const route_class = silent ? 'transactional' : message.route_class
    const who = { operator: audience.operatorOf(recipient), route_class }
    const per_page = tariff.price(channel, recipient, who)
    const route = tariff.route(channel, recipient, who)
    if (per_page === undefined || route === undefined) {
      const message = `No ${per_page === undefined ? 'price' : 'route'} is configured for ${recipient} on ${channel}.`
      faults.push({ field: `recipients[${n}]`, message, type: 'invalid' })
    } else {
      deliveries.push({ recipient, charge: per_page * BigInt(pages), route })
    }
  }
  return deliveries
}

function unknownTemplate(): Refusal {
  const message = 'There is no such template.'
  return new Refusal('not_found', message, [{ field: 'template_id', message, type: 'not_found' }])
}
