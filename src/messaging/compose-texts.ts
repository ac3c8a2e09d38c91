import type { Channel } from '../carriers/message-carrier.ts'
import { fillPattern, type Pattern } from '../values/placeholders.ts'
import type { Fault } from '../values/refusal.ts'
import { smartEncode } from '../values/smart-encoding.ts'
import { measureText, type SmsText } from '../values/sms-text.ts'
import { textFault } from './check.ts'
import type { PersonalValues, Source } from './compose-source.ts'
import { ANY_CODE } from './links/codes.ts'
import { LINK, splitLinks, type Linked } from './links/find-links.ts'

/** How texts are written: where tracked links begin (`https://…/l/`), and whether look-alikes may stand in. */
export type Wording = { channel: Channel; smart_encoding: boolean; track_at: string | undefined }

/** A text as it will be sent, but for the codes in its links, and its size with them. */
export type Written = Linked & {
  size: SmsText
  /** The pieces before look-alikes stood in; the same where none did. */
  asked: string[]
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

/** Rewrites, encodes and measures the text that everybody gets. */
export function writeSharedText({ content, template }: Source, wording: Wording, faults: Fault[]): Texts {
  const written = writeChecked(content, wording, template ? 'template_id' : 'content', faults)
  return { of: () => written, shared: true, longest: written.size }
}

/** Fills, rewrites, encodes and measures every text, a few at a time, so that other requests are answered meanwhile. */
export async function writeOwnTexts(
  personal: NonNullable<Source['personal']>,
  recipients: readonly string[],
  wording: Wording,
  faults: Fault[],
): Promise<Texts> {
  const written: Written[] = []
  const lacking = new Map<string, string[]>()
  let longest = EMPTY.size
  for (const [n, recipient] of recipients.entries()) {
    if (n > 0 && n % TEXTS_PER_TURN === 0) await new Promise(setImmediate)
    const own = personal.values.get(recipient)
    const missing = new Set<string>()
    const text = fill(personal.pattern, own, (name) => missing.add(name))
    for (const name of missing) {
      if (own) faults.push({ field: `${own.field}.substitutions.${name}`, ...noValue(name) })
      else lacking.set(name, push(lacking.get(name), recipient))
    }
    const field = own?.field ?? 'template_id'
    const one =
      text === undefined
        ? tooLong(field, faults)
        : missing.size > 0
          ? EMPTY
          : writeChecked(text, wording, field, faults)
    written.push(one)
    if (isLonger(one.size, longest)) longest = one.size
  }
  for (const [name, without] of lacking) {
    faults.push({ field: 'personalisation', ...noValue(name, without) })
  }
  return { of: (n) => written[n] ?? EMPTY, shared: false, longest }
}

/** Writes one text. */
export function writeText(text: string, { channel, smart_encoding, track_at }: Wording): Written {
  const linked = track_at === undefined ? { pieces: [text], urls: [] } : splitLinks(text)
  const pieces = smart_encoding && channel === 'sms' ? smartPieces(linked.pieces) : linked.pieces
  const measured = measureText(joinLinks({ pieces, urls: linked.urls }, () => (track_at ?? '') + ANY_CODE))
  // WhatsApp knows no pages: a message is one, however long.
  const size = channel === 'whatsapp' ? { ...measured, pages: 1 } : measured
  return { pieces, urls: linked.urls, size, asked: linked.pieces }
}

/** The text with something in the place of each link. */
export function joinLinks({ pieces, urls }: Linked, linkOf: (url: string) => string): string {
  let text = pieces[0] ?? ''
  if (urls.length === 0) return text
  for (const [n, url] of urls.entries()) text += linkOf(url) + (pieces[n + 1] ?? '')
  return text
}

const EMPTY: Written = { pieces: [''], urls: [], size: { encoding: 'GSM', message_length: 0, pages: 1 }, asked: [''] }

/** Tracked links are GSM, so the text is when all that stands between them is. */
export function smartPieces(pieces: string[]): string[] {
  const encoded = pieces.map((piece) => smartEncode(piece, LINK))
  const changed = encoded.some((piece, n) => piece !== pieces[n])
  const gained = encoded.every((piece) => measureText(piece).encoding === 'GSM')
  return changed && gained && encoded.some((piece) => piece !== '') ? encoded : pieces
}

function writeChecked(text: string, wording: Wording, field: string, faults: Fault[]): Written {
  if (wording.track_at !== undefined && text.length > MAX_CHARACTERS) return tooLong(field, faults)
  const written = writeText(text, wording)
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
  for (const piece of pattern.pieces) length += piece.length
  for (const { name, default: fallback } of pattern.placeholders) length += (valueOf(name) ?? fallback ?? '').length
  return length > MAX_CHARACTERS ? undefined : fillPattern(pattern, valueOf, miss)
}

function push<T>(list: T[] = [], item: T): T[] {
  list.push(item)
  return list
}

function isLonger(one: SmsText, other: SmsText): boolean {
  return one.pages > other.pages || (one.pages === other.pages && one.message_length > other.message_length)
}

function noValue(name: string, without: readonly string[] = []): Omit<Fault, 'field'> {
  const more = without.length > NAMED ? ` and ${without.length - NAMED} more` : ''
  const whose = without.length > 0 ? ` for ${without.slice(0, NAMED).join(', ')}${more}` : ''
  return { message: `There is no value for {{${name}}}${whose}.`, type: 'unknown_placeholder' }
}
