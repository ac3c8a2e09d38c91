import type { Channel } from '../../carriers/message-carrier.ts'
import { countPages, readBinary } from '../../values/sms/binary-text.ts'
import { narrowest, STANDARD_PAGES, type PageForm } from '../../values/sms/page-form.ts'
import { fillPattern, type Pattern } from '../../values/placeholders.ts'
import { MAX_FAULTS, type Fault } from '../../values/refusal.ts'
import { smartEncode } from '../../values/sms/smart-encoding.ts'
import { isGsm, MAX_PAGES, measureText, type SmsText } from '../../values/sms/sms-text.ts'
import { textFault } from './check.ts'
import type { RoutedRecipient } from './routing.ts'
import type { PersonalValues, Source } from './source.ts'
import { ANY_CODE } from '../links/codes.ts'
import { LINK, splitLinks, type Linked } from '../links/find-links.ts'

/** Prefix of tracked links (`https://…/l/`), and whether smart encoding may replace characters. */
export type Wording = {
  channel: Channel
  smart_encoding: boolean
  track_at: string | undefined
  /** On WhatsApp: fewer characters than a text may have. */
  most?: number | undefined
}

/** A text as it will be sent, without its link codes, and its size with them. */
export type Written = Linked & {
  size: SmsText
  /** The pieces before smart encoding. */
  asked: string[]
  /** The page form that smart encoding must fit: the narrowest of all routes of this text. */
  smart_form: PageForm
}

/** The text of each recipient. */
export type Texts = {
  /** By index of the recipient. */
  of: (n: number) => Written
  /** All recipients get the same text. */
  shared: boolean
  /** Size of the text with the most pages. */
  longest: SmsText
}

/** More than any channel accepts; a longer text is refused before it is assembled. */
const MAX_CHARACTERS = 8_192
/** Texts written per event loop iteration: at most a few milliseconds. */
export const TEXTS_PER_ITERATION = 200
/** Numbers named in a fault about several. */
const MAX_NAMED = 3

/** Rewrites and encodes the text shared by all recipients, and measures it for each page form. */
export function writeSharedText(
  { content, template }: Source,
  routed: readonly RoutedRecipient[],
  wording: Wording,
  faults: Fault[],
): Texts {
  const field = template ? 'template_id' : 'content'
  const forms = formsOf(routed)
  const smart_form = narrowest(forms)
  const faults_of: Fault[][] = []
  const written = forms.map((form, n) =>
    writeChecked(content, { form, smart_form }, wording, field, (faults_of[n] = [])),
  )
  const longest = written.reduce((most, one) => (isLonger(one.size, most.size) ? one : most))
  // The faults of the text are reported once, for the longest form.
  faults.push(...(faults_of[written.indexOf(longest)] ?? []))
  const of = (n: number): Written => written[forms.indexOf(routed[n]?.page_form ?? STANDARD_PAGES)] ?? EMPTY
  return { of: forms.length === 1 ? () => longest : of, shared: true, longest: longest.size }
}

/** Maximum number of faults per recipient, and in all: then the remaining recipients are not checked. */
export type FaultLimits = { each: number; in_all: number }

/** One more than an answer shows, so that it can say that there are more. */
const IN_AN_ANSWER: FaultLimits = { each: MAX_FAULTS + 1, in_all: MAX_FAULTS + 1 }

/** Fills, rewrites, encodes and measures the text of each recipient, yielding to the event loop regularly. */
export async function writeOwnTexts(
  personal: NonNullable<Source['personal']>,
  routed: readonly RoutedRecipient[],
  wording: Wording,
  faults: Fault[],
  limits: FaultLimits = IN_AN_ANSWER,
): Promise<Texts> {
  const written: Written[] = []
  // Recipients without any values lack the same names.
  let lacking: ReadonlySet<string> = new Set()
  const without: string[] = []
  let longest = EMPTY.size
  for (const [n, { recipient, page_form }] of routed.entries()) {
    if (n > 0 && n % TEXTS_PER_ITERATION === 0) await new Promise(setImmediate)
    if (faults.length >= limits.in_all) break
    const own = personal.values.get(recipient)
    const missing = new Set<string>()
    const text = fill(personal.pattern, own, (name) => missing.size < limits.each && missing.add(name))
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

/** The page form of a text; `smart_form`: the narrowest form, if the text has several. */
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

/** The text with each link replaced. */
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

/** The distinct page forms, mostly one. Without recipients the text is still checked. */
function formsOf(routed: readonly RoutedRecipient[]): PageForm[] {
  const forms = [routed[0]?.page_form ?? STANDARD_PAGES]
  let last = forms[0]
  for (const { page_form } of routed) {
    if (page_form !== last && !forms.includes(page_form)) forms.push(page_form)
    last = page_form
  }
  return forms
}

/** Tracked links are GSM, so the text is GSM if the pieces between them are. */
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
  const fault = textFault(sent, written.size, wording)
  if (fault) faults.push({ field, ...fault })
  return written
}

function tooLong(field: string, faults: Fault[]): Written {
  const message = `The text has more than ${MAX_CHARACTERS.toLocaleString('en')} characters.`
  faults.push({ field, message, type: 'string_too_long' })
  return EMPTY
}

/** Undefined if the text would be too long. */
export function fill(
  pattern: Pattern,
  own: PersonalValues | undefined,
  miss: (name: string) => unknown,
): string | undefined {
  // Own properties only, not inherited ones such as `constructor`.
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

export function noValue(name: string, without: readonly string[] = []): Omit<Fault, 'field'> {
  const more = without.length > MAX_NAMED ? ` and ${without.length - MAX_NAMED} more` : ''
  const recipients = without.length > 0 ? ` for ${without.slice(0, MAX_NAMED).join(', ')}${more}` : ''
  return { message: `There is no value for {{${name}}}${recipients}.`, type: 'unknown_placeholder' }
}

/** Binary content is sent unchanged to every recipient, with the same number of pages on every route. */
export function writeBinaryText(content: string, faults: Fault[]): Texts {
  const binary = readBinary(content)
  const pages = countPages(binary)
  if (pages > MAX_PAGES) {
    const message = `The message is ${pages} pages long; at most ${MAX_PAGES} are sent.`
    faults.push({ field: 'content', message, type: 'string_too_long' })
  }
  const written: Written = {
    pieces: [content],
    urls: [],
    // The encoding does not apply; the draft is marked as binary.
    size: { encoding: 'GSM', message_length: binary.data.length, pages },
    asked: [content],
    smart_form: STANDARD_PAGES,
  }
  return { of: () => written, shared: true, longest: written.size }
}
