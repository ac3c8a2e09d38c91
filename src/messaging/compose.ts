import type { AddressMode } from '../callbacks/address-guard.ts'
import type { Channel } from '../carriers/message-carrier.ts'
import type { Db } from '../db/connect.ts'
import { newId } from '../values/id.ts'
import type { Fault } from '../values/refusal.ts'
import type { AudienceDeps } from './audience.ts'
import { planMessage, type Plan } from './compose-plan.ts'
import type { Priced } from './compose-price.ts'
import type { TemplateRef } from './compose-source.ts'
import { joinLinks, type Texts } from './compose-texts.ts'
import { packUp, type Pack } from './pack.ts'
import { drawCodes } from './links/codes.ts'
import type { DraftLink } from './links/link-store.ts'
import { setTimes } from './schedule.ts'
import type { SendBody } from './schema.ts'
import type { DndSetting } from './settings.ts'
import type { Tariff } from './tariff.ts'
import type { WhatsappDeps } from './whatsapp.ts'

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
  smart_encoding: boolean
}

/** A message, worked out whole before anything is charged or stored. */
export type Draft = {
  id: string
  channel: Channel
  sender_id: string | null
  content: string
  template?: TemplateRef | undefined
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
  /** The same again, where they are accepted in packs. */
  packs?: Pack[]
  /** See `wordsOf`. */
  words?: string
  /** It was stored in one row with others of its burst (see bundle.ts). */
  bundled?: boolean
  /** The links that count clicks; most messages have none. */
  links?: DraftLink[]
}

/**
 * With a text of its own that is what a recipient gets, else the message's content. A sealed text is sent instead of
 * either; the content is then only what may be shown of it.
 */
export type DraftDelivery = Omit<Priced, 'page_form'> & {
  text?: string
  sealed_text?: Buffer
  /** When it goes, where that is not at once. */
  send_at?: string
}

/** OTPs go before everything else, and a message to a few people does not wait behind a campaign. */
export const PRIORITY = { otp: 0, single: 1, bulk: 2 } as const
export const BULK_FROM = 100

export type ComposeDeps = AudienceDeps &
  WhatsappDeps & {
    db: Db
    tariffOf: (sender: Pick<Sender, 'mode'>) => Tariff
    address_mode: AddressMode
    dnd: DndSetting
    /** No real carrier: any sender will do. */
    sandbox: boolean
    /** Where tracked links lead, without a slash at the end. */
    public_url: string
  }

/**
 * Checks a request and works the message out. `shape_faults` are what its schema found: fields they name are not
 * looked at again, and all faults are told at once. A text that was made of a template already names it.
 */
export async function compose(
  deps: ComposeDeps,
  sender: Sender,
  body: Partial<SendBody>,
  shape_faults: readonly Fault[],
  made_of?: TemplateRef,
): Promise<Draft> {
  const plan = await planMessage(deps, sender, body, shape_faults)
  const { source, texts, priced } = plan
  const id = newId()
  const tracked = texts.shared ? texts.of(0).urls.length > 0 : priced.some((_, n) => texts.of(n).urls.length > 0)
  const own = tracked || !texts.shared ? await ownTexts(deps, id, plan, tracked) : undefined
  const deliveries = setTimes(deps, sender, plan, own?.deliveries ?? priced)
  const packs = deliveries.length < BULK_FROM ? undefined : packUp(deliveries)
  return {
    id,
    channel: plan.channel,
    sender_id: plan.sender_id,
    // Where all get the same it is what they get, look-alikes and all.
    content: own ? source.content : sharedText(texts),
    template: source.template ?? made_of,
    personalisation: body.personalisation?.map(({ to, substitutions }) => ({ to, substitutions })),
    external_ref: body.external_ref,
    is_trackable: body.is_trackable ?? false,
    callback: body.callback,
    send_at: plan.send_at,
    ...plan.size,
    charge: plan.charge,
    priority: priced.length < BULK_FROM ? PRIORITY.single : PRIORITY.bulk,
    deliveries,
    ...(packs ? { packs } : {}),
    ...(own && own.links.length > 0 ? { links: own.links } : {}),
  }
}

function sharedText(texts: Texts): string {
  return joinLinks(texts.of(0), (url) => url)
}

/** Gives every recipient a code of their own for every link. */
async function ownTexts(
  deps: ComposeDeps,
  message_id: string,
  { texts, priced, track_at }: Plan,
  tracked: boolean,
): Promise<{ deliveries: DraftDelivery[]; links: DraftLink[] }> {
  const links: DraftLink[] = []
  const wanted = priced.map((_, n) => [...new Set(texts.of(n).urls)])
  const codes = tracked
    ? await drawCodes(
        deps,
        wanted.reduce((sum, { length }) => sum + length, 0),
      )
    : []
  const deliveries: DraftDelivery[] = []
  for (const [n, delivery] of priced.entries()) {
    if (n > 0 && n % TEXTS_PER_TURN === 0) await new Promise(setImmediate)
    const { recipient } = delivery
    const code_of = new Map<string, string>()
    for (const [position, url] of (wanted[n] ?? []).entries()) {
      const code = codes[links.length] ?? ''
      code_of.set(url, code)
      links.push({ code, message_id, recipient, position, url })
    }
    deliveries.push({ ...delivery, text: joinLinks(texts.of(n), (url) => `${track_at}${code_of.get(url)}`) })
  }
  return { deliveries, links }
}

const TEXTS_PER_TURN = 1_000
