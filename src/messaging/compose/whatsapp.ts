import type { WhatsappRules } from '../../carriers/whatsapp/rules.ts'
import type { Db } from '../../db/connect.ts'
import { readWhatsappFallback } from '../../organisations/settings-store.ts'
import { groupBy } from '../../values/group.ts'
import { MAX_FAULTS, refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import type { Priced } from './price.ts'
import type { Source } from './source.ts'
import { fillTemplates } from './whatsapp-fill.ts'
import type { Draft } from '../draft.ts'
import { WINDOW_ROUTE } from '../dispatch/refusing-carrier.ts'

export type WhatsappDeps = {
  db: Db
  whatsapp: WhatsappRules
  /** How to handle recipients without an open 24-hour window, or with wrong values: refuse the request, or skip them. */
  closed_windows?: 'refuse' | 'skip'
}

/** Plans the message as SMS for the recipients at these positions. */
export type AsSms = (positions: readonly number[]) => Promise<(Priced | undefined)[]>

/**
 * Applies WhatsApp's rules before anything is charged: free text only to people who wrote in the last 24 hours, a template
 * only with the values it takes. If the organisation has enabled the fallback, other free text is sent by SMS. The
 * simulator has no such rules.
 */
export async function applyWhatsappRules(
  deps: WhatsappDeps,
  organisation_id: string,
  source: Source,
  priced: readonly Priced[],
  asSms: AsSms,
  faults: Fault[],
): Promise<Priced[]> {
  const places = priced.map(({ recipient, route }, n) => ({ n, recipient, carrier: deps.whatsapp.carrierOf(route) }))
  const numbers = groupBy(
    places.filter(({ carrier }) => carrier !== undefined),
    ({ carrier }) => carrier ?? '',
  )
  if (numbers.size === 0) return [...priced]
  if (source.whatsapp) {
    const most_faults = deps.closed_windows === 'skip' ? Infinity : MAX_FAULTS
    return fillTemplates(deps.whatsapp, source.whatsapp, source, priced, { faults, most_faults })
  }
  const closed: number[] = []
  for (const [carrier, own] of numbers) {
    const recipients = own.map(({ recipient }) => recipient)
    const open = await deps.whatsapp.findOpen(carrier, recipients)
    closed.push(...own.filter(({ recipient }) => !open.has(recipient)).map(({ n }) => n))
  }
  if (closed.length === 0) return [...priced]
  return withoutWindow(deps, organisation_id, priced, closed, asSms, faults)
}

async function withoutWindow(
  deps: WhatsappDeps,
  organisation_id: string,
  priced: readonly Priced[],
  closed: readonly number[],
  asSms: AsSms,
  faults: Fault[],
): Promise<Priced[]> {
  const moved = [...priced]
  if (await readWhatsappFallback(deps.db, organisation_id)) {
    const texts = await asSms(closed)
    for (const [place, n] of closed.entries()) moved[n] = texts[place] ?? moved[n]!
    return moved
  }
  for (const n of closed) {
    if (deps.closed_windows === 'skip') moved[n] = { ...moved[n]!, charge: 0n, route: WINDOW_ROUTE }
    else faults.push({ field: `recipients[${n}]`, message: CLOSED, type: 'invalid' })
  }
  return moved
}

const CLOSED =
  'This person has not written in the last 24 hours: WhatsApp accepts only a template. Set whatsapp_fallback to send the text by SMS.'

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
