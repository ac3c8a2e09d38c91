import type { WhatsappRules } from '../../carriers/whatsapp/rules.ts'
import type { Db } from '../../db/connect.ts'
import { readWhatsappFallback } from '../../organisations/settings-store.ts'
import { present } from '../../values/record.ts'
import { groupBy } from '../../values/group.ts'
import { MAX_FAULTS, refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import type { Priced } from './price.ts'
import type { Source } from './source.ts'
import type { SessionContent } from './whatsapp-content.ts'
import { findReceived, findWriters } from './received-store.ts'
import { fillTemplates } from './whatsapp-fill.ts'
import type { Draft } from '../draft.ts'
import { WINDOW_ROUTE } from '../dispatch/refusing-carrier.ts'

export type WhatsappDeps = {
  db: Db
  whatsapp: WhatsappRules
  /** How to handle recipients without an open 24-hour window, or with wrong values: refuse the request, or skip them. */
  closed_windows?: 'refuse' | 'skip'
  /** When the message is sent, if not now: its files have to last until then. */
  send_at?: string | undefined
}

/** Plans the message as SMS for the recipients at these positions. */
export type AsSms = (positions: readonly number[]) => Promise<(Priced | undefined)[]>

/**
 * Applies WhatsApp's rules before anything is charged: free text only to people who wrote in the last 24 hours, a template
 * only with the values it takes. If the organisation has enabled the fallback, other free text is sent by SMS. The
 * simulator has no templates, and the 24-hour window only if that is configured.
 */
export async function applyWhatsappRules(
  deps: WhatsappDeps,
  organisation_id: string,
  source: Source,
  priced: readonly Priced[],
  asSms: AsSms,
  faults: Fault[],
): Promise<Priced[]> {
  const { whatsapp: rules } = deps
  const places = priced.map(({ recipient, route }, n) => ({
    n,
    recipient,
    carrier: rules.carrierOf(route),
    has_window: rules.hasWindow(route),
  }))
  const { session } = source
  if (source.whatsapp) {
    const most_faults = deps.closed_windows === 'skip' ? Infinity : MAX_FAULTS
    return fillTemplates({ ...deps, organisation_id }, source.whatsapp, source, priced, { faults, most_faults })
  }
  const closed: number[] = []
  const by_carrier = groupBy(
    places.filter(({ has_window }) => has_window),
    ({ carrier }) => carrier,
  )
  for (const [carrier, own] of by_carrier) {
    const recipients = own.map(({ recipient }) => recipient)
    const open =
      carrier === undefined
        ? await findWriters(deps.db, organisation_id, recipients)
        : await rules.findOpen(carrier, recipients)
    closed.push(...own.filter(({ recipient }) => !open.has(recipient)).map(({ n }) => n))
  }
  const received_id = await findReceivedId(deps, organisation_id, session, places, faults)
  const open = priced.map((one) => withContent(one, session, received_id))
  if (closed.length === 0) return open
  return withoutWindow(deps, organisation_id, open, closed, session?.is_text === false ? undefined : asSms, faults)
}

function withContent(priced: Priced, session: SessionContent | undefined, received_id?: string): Priced {
  if (!session) return priced
  return {
    ...priced,
    whatsapp: { ...session.outgoing, ...present('received_id', received_id), ...present('reply_to', session.reply_to) },
  }
}

/** Meta's id of the text that a message quotes or reacts to: one that its recipient sent to the same number. */
async function findReceivedId(
  { db }: WhatsappDeps,
  organisation_id: string,
  session: SessionContent | undefined,
  places: readonly { recipient: string; carrier: string | undefined }[],
  faults: Fault[],
): Promise<string | undefined> {
  if (session?.reply_to === undefined) return undefined
  const [place, ...more] = places
  const found =
    place && more.length === 0 ? await findReceived(db, organisation_id, session.reply_to, place.recipient) : undefined
  const is_of_number = place?.carrier === undefined || found?.carrier === place.carrier
  if (found && is_of_number) return found.carrier_message_id
  const message =
    more.length > 0
      ? 'A message that quotes a text, or reacts to it, has one recipient.'
      : 'The recipient sent no such text to this number on WhatsApp.'
  faults.push({ field: 'whatsapp.reply_to', message, type: more.length > 0 ? 'invalid' : 'not_found' })
  return undefined
}

async function withoutWindow(
  deps: WhatsappDeps,
  organisation_id: string,
  priced: readonly Priced[],
  closed: readonly number[],
  /** Undefined if it is more than a text. */
  asSms: AsSms | undefined,
  faults: Fault[],
): Promise<Priced[]> {
  const moved = [...priced]
  if (asSms && (await readWhatsappFallback(deps.db, organisation_id))) {
    const texts = await asSms(closed)
    for (const [place, n] of closed.entries()) moved[n] = texts[place] ?? moved[n]!
    return moved
  }
  const message = asSms ? CLOSED : CLOSED_TO_CONTENT
  for (const n of closed) {
    if (deps.closed_windows === 'skip')
      moved[n] = { ...moved[n]!, charge: 0n, price_rule_id: null, route: WINDOW_ROUTE }
    else faults.push({ field: `recipients[${n}]`, message, type: 'invalid' })
  }
  return moved
}

const CLOSED =
  'This person has not written in the last 24 hours: WhatsApp accepts only a template. Send a template_id with a `whatsapp` template, or set whatsapp_fallback to send the text by SMS.'
const CLOSED_TO_CONTENT =
  'This person has not written in the last 24 hours: WhatsApp accepts only a template. Send a template_id with a `whatsapp` template.'

/** Refuses a one-time password that would be free text outside of the 24-hour window. */
export async function refuseClosedWindow(rules: WhatsappRules, { channel, deliveries }: Draft): Promise<void> {
  const [delivery] = deliveries
  const carrier = delivery && channel === 'whatsapp' ? rules.carrierOf(delivery.route) : undefined
  if (!delivery || carrier === undefined || rules.hasOtpTemplate(carrier)) return
  const open = await rules.findOpen(carrier, [delivery.recipient])
  if (open.has(delivery.recipient)) return
  const message =
    'This person has not written in the last 24 hours, and no template for one-time passwords is configured.'
  refuseIfFaulty([{ field: 'channel', message, type: 'invalid' }])
}
