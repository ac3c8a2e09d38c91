import type { Channel } from '../../carriers/message-carrier.ts'
import { narrowest, STANDARD_PAGES, type PageForm } from '../../values/sms/page-form.ts'
import { fillPattern, type Pattern } from '../../values/placeholders.ts'
import { MAX_FAULTS, type Fault } from '../../values/refusal.ts'
import { smartEncode } from '../../values/sms/smart-encoding.ts'
import { isGsm, measureText, type SmsText } from '../../values/sms/sms-text.ts'
import { textFault } from './check.ts'
import type { Way } from './routing.ts'
import type { PersonalValues, Source } from './source.ts'
import { ANY_CODE } from '../links/codes.ts'
import { LINK, splitLinks, type Linked } from '../links/find-links.ts'

/** How texts are written: where tracked links begin (`https://…/l/`), and whether look-alikes may stand in. */
export type Wording = { channel: Channel; smart_encoding: boolean; track_at: string | undefined }

/** A text as it will be sent, but for the codes in its links, and its size with them where it goes. */
export type Written = Linked & {
  size: SmsText
  /** The pieces before look-alikes stood in; the same where none did. */
  asked: string[]
  /** Where look-alikes must make it GSM if they are to stand in: with the fewest characters wherever these words go. */
  smart_form: PageForm
}

/** The text of each recipient. */
export type Texts = {
  /** By the recipient's place in the list. */
  of: (n: number) => Written
  /** Everybody gets the same words. */
  shared: boolean
  /** Of the text with the most pages. */
  longest: SmsText
}

/** More than any channel takes; a text is not even put together beyond it. */
const MAX_CHARACTERS = 8_192
/** Texts written in one turn of the event loop: at their longest, a few milliseconds. */
const TEXTS_PER_TURN = 200
/** Numbers named in a fault about many. */
const NAMED = 3

/** Rewrites and encodes the text that everybody gets, and measures it for each of the ways it goes. */
export function writeSharedText(
  { content, template }: Source,
  ways: readonly Way[],
  wording: Wording,
  faults: Fault[],
): Texts {
  const field = template ? 'template_id' : 'content'
  const forms = formsOf(ways)
  const smart_form = narrowest(forms)
  const told: Fault[][] = []
  const written = forms.map((form, n) => writeChecked(content, { form, smart_form }, wording, field, (told[n] = [])))
  const longest = written.reduce((most, one) => (isLonger(one.size, most.size) ? one : most))
  // What is wrong with the text is told once, as it is where it is longest.
  faults.push(...(told[written.indexOf(longest)] ?? []))
  const of = (n: number): Written => written[forms.indexOf(ways[n]?.page_form ?? STANDARD_PAGES)] ?? EMPTY
  return { of: forms.length === 1 ? () => longest : of, shared: true, longest: longest.size }
}

/** How many faults are looked for: with one recipient, and before the rest is not looked at any more. */
export type Told = { each: number; in_all: number }

/** One more than an answer has room for tells that there are more. */
const IN_AN_ANSWER: Told = { each: MAX_FAULTS + 1, in_all: MAX_FAULTS + 1 }

/** Fills, rewrites, encodes and measures every text, a few at a time, so that other requests are answered meanwhile. */
export async function writeOwnTexts(
  personal: NonNullable<Source['personal']>,
  ways: readonly Way[],
  wording: Wording,
  faults: Fault[],
  told: Told = IN_AN_ANSWER,
): Promise<Texts> {
  const written: Written[] = []
  // Those without any values lack the same names.
  let lacking: ReadonlySet<string> = new Set()
  const without: string[] = []
  let longest = EMPTY.size
  for (const [n, { recipient, page_form }] of ways.entries()) {
    if (n > 0 && n % TEXTS_PER_TURN === 0) await new Promise(setImmediate)
    if (faults.length >= told.in_all) break
    const own = personal.values.get(recipient)
    const missing = new Set<string>()
    const text = fill(personal.pattern, own, (name) => missing.size < told.each && missing.add(name))
    if (own) {
      for (const name of missing) faults.push({ field: `${own.field}.substitutions.${name}`, ...noValue(name) })
    } else if (missing.size > 0) {
      lacking = missing
      without.push(recipient)
    }
    const field = own?.field ?? 'template_id'
    const one =
      text === undefined
        ? tooLong(field, faults)
        : missing.size > 0
          ? EMPTY
          : writeChecked(text, { form: page_form }, wording, field, faults)
    written.push(one)
    if (isLonger(one.size, longest)) longest = one.size
  }
  for (const name of lacking) faults.push({ field: 'personalisation', ...noValue(name, without) })
  return { of: (n) => written[n] ?? EMPTY, shared: false, longest }
}

/** Where a text has which pages; `smart_form` where the same words go elsewhere, too. */
type Aim = { form: PageForm; smart_form?: PageForm }

/** Writes one text. */
export function writeText(
  text: string,
  { channel, smart_encoding, track_at }: Wording,
  { form, smart_form = form }: Aim,
): Written {
  const linked = track_at === undefined ? { pieces: [text], urls: [] } : splitLinks(text)
  const pieces = smart_encoding && channel === 'sms' ? smartPieces(linked.pieces, smart_form) : linked.pieces
  const size = measureText(
    joinLinks({ pieces, urls: linked.urls }, () => (track_at ?? '') + ANY_CODE),
    form,
  )
  return { pieces, urls: linked.urls, size, asked: linked.pieces, smart_form }
}

/** The text with something in the place of each link. */
export function joinLinks({ pieces, urls }: Linked, linkOf: (url: string) => string): string {
  let text = pieces[0] ?? ''
  if (urls.length === 0) return text
  for (const [n, url] of urls.entries()) text += linkOf(url) + (pieces[n + 1] ?? '')
  return text
}

const EMPTY: Written = {
  pieces: [''],
  urls: [],
  size: { encoding: 'GSM', message_length: 0, pages: 1 },
  asked: [''],
  smart_form: STANDARD_PAGES,
}

/** Mostly one. Who has no recipients is still told what is wrong with the text. */
function formsOf(ways: readonly Way[]): PageForm[] {
  const forms = [ways[0]?.page_form ?? STANDARD_PAGES]
  let last = forms[0]
  for (const { page_form } of ways) {
    if (page_form !== last && !forms.includes(page_form)) forms.push(page_form)
    last = page_form
  }
  return forms
}

/** Tracked links are GSM, so the text is when all that stands between them is. */
export function smartPieces(pieces: string[], form: PageForm): string[] {
  const encoded = pieces.map((piece) => smartEncode(piece, form, LINK))
  const changed = encoded.some((piece, n) => piece !== pieces[n])
  const gained = encoded.every((piece) => isGsm(piece, form))
  return changed && gained && encoded.some((piece) => piece !== '') ? encoded : pieces
}

function writeChecked(text: string, aim: Aim, wording: Wording, field: string, faults: Fault[]): Written {
  if (wording.track_at !== undefined && text.length > MAX_CHARACTERS) return tooLong(field, faults)
  const written = writeText(text, wording, aim)
  const sent = written.urls.length === 0 ? text : joinLinks(written, () => (wording.track_at ?? '') + ANY_CODE)
  const fault = textFault(sent, written.size, wording.channel)
  if (fault) faults.push({ field, ...fault })
  return written
}

function tooLong(field: string, faults: Fault[]): Written {
  const message = `The text has more than ${MAX_CHARACTERS.toLocaleString('en')} characters.`
  faults.push({ field, message, type: 'string_too_long' })
  return EMPTY
}

/** Undefined when it would become too long to be worth it. */
function fill(pattern: Pattern, own: PersonalValues | undefined, miss: (name: string) => unknown): string | undefined {
  // Not what every object has by nature, such as `constructor`.
  const valueOf = (name: string): string | undefined =>
    own && Object.hasOwn(own.substitutions, name) ? own.substitutions[name] : undefined
  let length = 0
  for (const piece of pattern.literals) length += piece.length
  for (const { name, default: fallback } of pattern.placeholders) length += (valueOf(name) ?? fallback ?? '').length
  return length > MAX_CHARACTERS ? undefined : fillPattern(pattern, valueOf, miss)
}

function isLonger(one: SmsText, other: SmsText): boolean {
  return one.pages > other.pages || (one.pages === other.pages && one.message_length > other.message_length)
}

function noValue(name: string, without: readonly string[] = []): Omit<Fault, 'field'> {
  const more = without.length > NAMED ? ` and ${without.length - NAMED} more` : ''
  const whose = without.length > 0 ? ` for ${without.slice(0, NAMED).join(', ')}${more}` : ''
  return { message: `There is no value for {{${name}}}${whose}.`, type: 'unknown_placeholder' }
}
