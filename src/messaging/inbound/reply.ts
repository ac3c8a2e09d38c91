import { newId } from '../../values/id.ts'
import { cleanDigits, cleanPhone, dialPlan } from '../../values/phone/phone.ts'
import { refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import { shownInbound } from './read.ts'
import { keepTexts, type InboundDeps } from './receive.ts'
import type { InboundMessage, ReplyBody } from './schema.ts'

/** The sandbox as a carrier; configured names cannot contain a colon. */
const SANDBOX = 'sandbox:handset'

/** A reply from a virtual handset. The caller's organisation receives it, so alphanumeric senders can be replied to. */
export async function replyFromHandset(
  deps: InboundDeps,
  { organisation_id, default_country }: { organisation_id: string; default_country: string },
  body: Partial<ReplyBody>,
  shape_faults: readonly Fault[],
): Promise<InboundMessage> {
  const faults = [...shape_faults]
  const misshapen = new Set(faults.map(({ field }) => field))
  const raw = misshapen.has('from') ? undefined : body.from
  const plan = dialPlan(default_country)
  const from = raw === undefined ? undefined : cleanPhone(raw, plan)
  if (raw !== undefined && from === undefined) {
    faults.push({ field: 'from', message: 'This is not a phone number.', type: 'phone_invalid' })
  }
  for (const field of ['to', 'text'] as const) {
    if (misshapen.has(field) || !body[field]?.includes('\u0000')) continue
    faults.push({ field, message: 'This value holds a NUL character.', type: 'invalid' })
  }
  refuseIfFaulty(faults)
  const { to = '', text = '', channel = 'sms' } = body
  const answered = cleanDigits(to, plan) ?? to.trim()
  const received = { carrier: SANDBOX, from: from ?? '', to: answered, text, channel, received_id: newId() }
  const [row] = await keepTexts(deps, organisation_id, [received])
  if (!row) throw new Error('a text with a new id was already stored')
  return shownInbound(row)
}
