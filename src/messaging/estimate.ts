import { readBalance } from '../billing/store.ts'
import { moneyToNumber } from '../values/money.ts'
import { present } from '../values/present.ts'
import type { Fault } from '../values/refusal.ts'
import { lookAlike } from '../values/smart-encoding.ts'
import { foreignCharacters, measureText, type SmsText } from '../values/sms-text.ts'
import type { ComposeDeps, Sender } from './compose.ts'
import { planMessage, type Plan } from './compose-plan.ts'
import { joinLinks, smartPieces, type Written } from './compose-texts.ts'
import type { EstimatedText, MessageEstimate } from './estimate-schema.ts'
import { ANY_CODE } from './links/codes.ts'
import type { SendBody } from './schema.ts'

/** Texts told apart in an answer. */
const TEXTS = 20
/** Texts looked at in one turn of the event loop. */
const TEXTS_PER_TURN = 100

/** What a message would be and cost. Checked as a send is; nothing is stored or charged. */
export async function estimateMessage(
  deps: ComposeDeps,
  sender: Sender,
  body: Partial<SendBody>,
  shape_faults: readonly Fault[],
): Promise<MessageEstimate> {
  const plan = await planMessage(deps, sender, body, shape_faults)
  const forms = await distinctForms(plan)
  const { balance } = await readBalance(deps.db, sender.organisation_id)
  const total = (of: 'smart' | 'gsm'): number =>
    moneyToNumber(forms.reduce((sum, form) => sum + form.per_page * BigInt(form[of].size.pages), 0n))
  return {
    recipients: plan.priced.length,
    texts: forms.slice(0, TEXTS).map(shown),
    texts_total: forms.length,
    smart_encoding: { applied: plan.smart_encoding && plan.channel === 'sms', charge: total('smart') },
    gsm: { charge: total('gsm') },
    estimate: {
      available_balance: moneyToNumber(balance - plan.charge),
      charge: moneyToNumber(plan.charge),
      ...plan.texts.longest,
    },
  }
}

type Sized = { text: string; size: SmsText }

/** A text in its forms, how many get it, and what a page of it costs for all of them together. */
type Forms = { sent: Sized; smart: Sized; gsm: Sized; recipients: number; per_page: bigint }

/** Each text once, those with the most pages first. */
async function distinctForms(plan: Plan): Promise<Forms[]> {
  const forms = new Map<string, Forms>()
  for (const [n, { charge, pages }] of plan.priced.entries()) {
    if (n > 0 && n % TEXTS_PER_TURN === 0) await new Promise(setImmediate)
    const written = plan.texts.of(n)
    const text = withCodes(written.pieces, written, plan)
    const form = forms.get(text) ?? formsOf(text, written, plan)
    forms.set(text, form)
    form.recipients += 1
    form.per_page += charge / BigInt(pages)
  }
  return [...forms.values()].sort((a, b) => b.sent.size.pages - a.sent.size.pages)
}

function formsOf(text: string, written: Written, plan: Plan): Forms {
  const size = (text: string): Sized => {
    const measured = measureText(text)
    return { text, size: plan.channel === 'whatsapp' ? { ...measured, pages: 1 } : measured }
  }
  const asked = withCodes(written.asked, written, plan)
  const smart = plan.channel === 'sms' ? withCodes(smartPieces(written.asked), written, plan) : text
  return { sent: size(text), smart: size(smart), gsm: size(inGsm(asked)), recipients: 0, per_page: 0n }
}

function withCodes(pieces: string[], { urls }: Written, { track_at }: Plan): string {
  return joinLinks({ pieces, urls }, () => (track_at ?? '') + ANY_CODE)
}

/** With something of GSM in the place of what is not, for its size. */
function inGsm(text: string): string {
  const foreign = foreignCharacters(text)
  if (foreign.size === 0) return text
  return Array.from(text, (character) => (foreign.has(character) ? (lookAlike(character) ?? '?') : character)).join('')
}

function shown({ sent, smart, gsm, recipients, per_page }: Forms): EstimatedText {
  const charge = ({ size }: Sized): number => moneyToNumber(per_page * BigInt(size.pages))
  const { message_length, pages } = gsm.size
  const foreign = sent.size.encoding === 'UCS-2'
  return {
    text: sent.text,
    recipients,
    ...sent.size,
    charge: charge(sent),
    foreign_characters: Array.from(foreign ? foreignCharacters(sent.text) : [], ([character, positions]) => ({
      character,
      code_point: `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
      positions,
      ...present('look_alike', lookAlike(character)),
    })),
    ...(smart.text === sent.text ? {} : { smart_encoding: { text: smart.text, ...smart.size, charge: charge(smart) } }),
    ...(foreign ? { gsm: { message_length, pages, charge: charge(gsm) } } : {}),
  }
}
