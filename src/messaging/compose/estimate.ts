import { readBalance } from '../../billing/store.ts'
import { moneyToNumber } from '../../values/money.ts'
import type { PageForm } from '../../values/sms/page-form.ts'
import { present } from '../../values/record.ts'
import { lookAlike } from '../../values/sms/smart-encoding.ts'
import { foreignCharacters, measureText, type SmsText } from '../../values/sms/sms-text.ts'
import type { ComposeDeps } from './deps.ts'
import type { Sender } from '../draft.ts'
import type { Plan } from './plan.ts'
import { joinLinks, smartPieces, type Written } from './texts.ts'
import type { EstimatedText, MessageEstimate } from './estimate-schema.ts'
import { ANY_CODE } from '../links/codes.ts'

/** Distinct texts in an answer. */
const MAX_TEXTS = 20
/** Texts processed per event loop iteration. */
const TEXTS_PER_ITERATION = 100

/** Texts, pages and cost of a message that is planned; nothing is stored or charged. */
export async function estimatePlan(
  deps: Pick<ComposeDeps, 'db'>,
  sender: Pick<Sender, 'organisation_id'>,
  plan: Plan,
): Promise<MessageEstimate> {
  const texts = await distinctTexts(plan)
  const { balance, credit_limit } = await readBalance(deps.db, sender.organisation_id)
  const total = (of: 'smart' | 'gsm'): number =>
    moneyToNumber(texts.reduce((sum, { all }) => sum + chargeOf(all, of), 0n))
  return {
    recipients: plan.priced.length,
    texts: texts.slice(0, MAX_TEXTS).map(shown),
    texts_total: texts.length,
    smart_encoding: { applied: plan.smart_encoding && plan.channel === 'sms', charge: total('smart') },
    gsm: { charge: total('gsm') },
    is_covered: balance + credit_limit >= plan.charge,
    estimate: {
      available_balance: moneyToNumber(balance - plan.charge),
      charge: moneyToNumber(plan.charge),
      ...plan.size,
    },
  }
}

type Sized = { text: string; size: SmsText }

/** A text with one page size in its three encodings, its number of recipients, and the price of a page for all of them. */
type Forms = { page_form: PageForm; sent: Sized; smart: Sized; gsm: Sized; recipients: number; per_page: bigint }

/** A text with all its page sizes, and the one with the most pages. */
type Everywhere = { all: Forms[]; longest: Forms }

/** The distinct texts, those with the most pages first. */
async function distinctTexts(plan: Plan): Promise<Everywhere[]> {
  const texts = new Map<string, Everywhere>()
  for (const [n, { charge, pages, page_form }] of plan.priced.entries()) {
    if (n > 0 && n % TEXTS_PER_ITERATION === 0) await new Promise(setImmediate)
    const written = plan.texts.of(n)
    const text = withCodes(written.pieces, written, plan)
    const known = texts.get(text)
    let forms = known?.all.find((one) => one.page_form === page_form)
    if (!forms) {
      forms = formsOf(text, written, plan, page_form)
      const longest = known && pagesOf(known) >= forms.sent.size.pages ? known.longest : forms
      texts.set(text, { all: [...(known?.all ?? []), forms], longest })
    }
    forms.recipients += 1
    forms.per_page += charge / BigInt(pages)
  }
  return [...texts.values()].sort((a, b) => pagesOf(b) - pagesOf(a))
}

function pagesOf({ longest }: Everywhere): number {
  return longest.sent.size.pages
}

function formsOf(text: string, written: Written, plan: Plan, page_form: PageForm): Forms {
  const size = (form: string): Sized => ({ text: form, size: measureText(form, page_form) })
  const asked = withCodes(written.asked, written, plan)
  const smart_pieces = smartPieces(written.asked, written.smart_form)
  const smart = plan.channel === 'sms' ? withCodes(smart_pieces, written, plan) : text
  const gsm = inGsm(asked, page_form)
  return { page_form, sent: size(text), smart: size(smart), gsm: size(gsm), recipients: 0, per_page: 0n }
}

function chargeOf(all: readonly Forms[], of: 'sent' | 'smart' | 'gsm'): bigint {
  return all.reduce((sum, forms) => sum + forms.per_page * BigInt(forms[of].size.pages), 0n)
}

export function withCodes(pieces: string[], { urls }: Written, { track_at }: Plan): string {
  return joinLinks({ pieces, urls }, () => (track_at ?? '') + ANY_CODE)
}

/** The text with a GSM character in place of every other, to measure it. */
export function inGsm(text: string, form: PageForm): string {
  const foreign = foreignCharacters(text, form)
  if (foreign.size === 0) return text
  return Array.from(text, (character) => (foreign.has(character) ? (lookAlike(character) ?? '?') : character)).join('')
}

/** If page counts differ between routes, the highest is shown; the charge covers all. */
function shown({ all, longest }: Everywhere): EstimatedText {
  const { sent, smart, gsm, page_form } = longest
  const charge = (of: 'sent' | 'smart' | 'gsm'): number => moneyToNumber(chargeOf(all, of))
  const { message_length, pages } = gsm.size
  const foreign = sent.size.encoding === 'UCS-2'
  return {
    text: sent.text,
    recipients: all.reduce((sum, { recipients }) => sum + recipients, 0),
    ...sent.size,
    charge: charge('sent'),
    foreign_characters: Array.from(
      foreign ? foreignCharacters(sent.text, page_form) : [],
      ([character, positions]) => ({
        character,
        code_point: codePointOf(character),
        positions,
        ...present('look_alike', lookAlike(character)),
      }),
    ),
    ...(smart.text === sent.text
      ? {}
      : { smart_encoding: { text: smart.text, ...smart.size, charge: charge('smart') } }),
    ...(foreign ? { gsm: { message_length, pages, charge: charge('gsm') } } : {}),
  }
}

/** As in `U+20A6`. */
export function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
