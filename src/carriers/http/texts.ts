import { decodeText, decodeUtf16 } from '../../values/octets/charset.ts'
import { cleanDigits, dialPlan } from '../../values/phone/phone.ts'
import { withoutHalves } from '../../values/input/storable.ts'
import type { CarrierOptout, ReceivedText } from '../message-carrier.ts'
import { concatenationOf, type Concatenation } from '../smpp/codec/udh.ts'
import { words } from '../vendor-words.ts'
import { compilePath, compilePaths, type FieldText } from './fields.ts'
import { compileCondition } from './mapping/condition.ts'
import { readText, type Path, type Scope } from './mapping/path.ts'
import type { ReportFault } from './mapping/template.ts'
import type { Preset } from './preset/schema.ts'
import { itemsOf, POST_ROOTS } from './report.ts'

/** A text, or a segment of one that is to be joined with the others. */
export type PostedText = ReceivedText & { concatenation?: Concatenation }

export type TextNews = { texts: PostedText[]; optouts: CarrierOptout[]; skipped: number }

/** Reads what people wrote, or that they opted out, out of a post. */
export type ReadTexts = (scope: Scope, country: string, news: TextNews) => void

const ROOTS = [...POST_ROOTS, 'options'] as const
const TEXT_ROOTS = [...ROOTS, 'octets'] as const
const LONGEST_TEXT = 4_096
/** Characters that a segment can have: GSM 7-bit, without a header. What is longer is a text of its own. */
const LONGEST_SEGMENT = 160
const LARGEST_REFERENCE = 0xffff
const MOST_SEGMENTS = 255

export function compileTexts(
  given: NonNullable<Preset['texts']>,
  carrier: string,
  reportFault: ReportFault,
): ReadTexts {
  const at = (paths: FieldText, name: string): Path[] => compilePaths(paths, ROOTS, `texts.${name}`, reportFault)
  const each = compilePath(given.each, ROOTS, 'texts.each', reportFault)
  const wanted = compileCondition(given.when, ROOTS, 'texts.when', reportFault)
  const [id, from, to] = [at(given.id, 'id'), at(given.from, 'from'), at(given.to, 'to')]
  const charset = at(given.charset, 'charset')
  const text = compilePaths(given.text, TEXT_ROOTS, 'texts.text', reportFault)
  const is_octets = given.charset !== undefined
  if (text.some(([root]) => (root === 'octets') !== is_octets)) {
    reportFault('texts', 'needs a charset where its text is octets')
  }
  const segment = {
    reference: at(given.segments?.reference, 'segments.reference'),
    total: at(given.segments?.total, 'segments.total'),
    segment: at(given.segments?.segment, 'segments.segment'),
  }
  const numberAt = (scope: Scope, paths: readonly Path[], most: number): number => {
    const digits = readText(scope, paths) ?? ''
    return /^\d{1,5}$/.test(digits) && Number(digits) <= most ? Number(digits) : NaN
  }
  const segmentOf = (scope: Scope): Concatenation | null => {
    const reference = numberAt(scope, segment.reference, LARGEST_REFERENCE)
    const total = numberAt(scope, segment.total, MOST_SEGMENTS)
    if (Number.isNaN(reference) || !(total > 1)) return null
    return concatenationOf(reference, total, numberAt(scope, segment.segment, MOST_SEGMENTS))
  }
  return (whole, country, news) => {
    const number = makeReadNumber(country)
    for (const scope of itemsOf(whole, each)) {
      if (!wanted(scope)) continue
      const [received_id, sender, addressee] = [words(readText(scope, id)), number(scope, from), number(scope, to)]
      if (received_id === undefined || !sender || !addressee) {
        news.skipped += 1
        continue
      }
      const given_text = readText(scope, text) ?? ''
      const written = (is_octets ? decoded(given_text, readText(scope, charset)) : given_text)
        .replaceAll('\u0000', '')
        .slice(0, LONGEST_TEXT)
      const one = { carrier, from: sender, to: addressee, text: written, channel: 'sms' as const, received_id }
      const concatenation = given.segments && written.length <= LONGEST_SEGMENT ? segmentOf(scope) : null
      news.texts.push(concatenation ? { ...one, concatenation } : one)
    }
  }
}

/** What is written in no alphabet, such as 8-bit data, is shown as hex. */
function decoded(octets: string, charset = 'UTF-8'): string {
  const bytes = Buffer.from(octets, 'latin1')
  const utf16 = decodeUtf16(bytes, charset)
  return decodeText(bytes, charset) ?? (utf16 === undefined ? bytes.toString('hex') : withoutHalves(utf16))
}

/** Of people who opted out at the vendor or their network, with the sender they opted out of. */
export function compileOptouts(
  given: NonNullable<Preset['optouts']>,
  carrier: string,
  reportFault: ReportFault,
): ReadTexts {
  const each = compilePath(given.each, ROOTS, 'optouts.each', reportFault)
  const wanted = compileCondition(given.when, ROOTS, 'optouts.when', reportFault)
  const recipients = compilePaths(given.recipient, ROOTS, 'optouts.recipient', reportFault)
  const senders = compilePaths(given.sender, ROOTS, 'optouts.sender', reportFault)
  return (whole, country, news) => {
    const plan = dialPlan(country)
    for (const scope of itemsOf(whole, each)) {
      if (!wanted(scope)) continue
      const recipient = cleanDigits(words(readText(scope, recipients)) ?? '', plan)
      const sender_id = words(readText(scope, senders))?.trim()
      if (recipient === undefined || !sender_id) news.skipped += 1
      else news.optouts.push({ carrier, recipient, sender_id })
    }
  }
}

/** A phone number with its country code; a name or short code as it is. */
function makeReadNumber(country: string): (scope: Scope, paths: readonly Path[]) => string | undefined {
  const plan = dialPlan(country)
  return (scope, paths) => {
    const raw = words(readText(scope, paths))?.trim()
    return raw === undefined ? undefined : (cleanDigits(raw, plan) ?? raw.replace(/^\+/, ''))
  }
}
