import { decodeText, decodeUtf16 } from '../../values/octets/charset.ts'
import { cleanDigits, dialPlan } from '../../values/phone/phone.ts'
import { withoutHalves } from '../../values/input/storable.ts'
import type { CarrierOptout, ReceivedText } from '../message-carrier.ts'
import { concatenationOf, type Concatenation } from '../codec/udh.ts'
import { shortText } from '../vendor-values.ts'
import { compileCondition } from './mapping/condition.ts'
import type { Preset } from './preset/schema.ts'
import { itemsOf, POST_ROOTS } from './report.ts'
import {
  compilePath,
  compilePaths,
  readText,
  type FieldText,
  type Path,
  type ReportFault,
  type Scope,
} from './mapping/path.ts'

/** A text, or one segment of a text. */
export type PostedText = ReceivedText & { concatenation?: Concatenation }

export type TextContents = { texts: PostedText[]; optouts: CarrierOptout[]; skipped: number }

/** Reads texts or opt-outs from a post. */
export type ReadTexts = (scope: Scope, country: string, contents: TextContents) => void

const ROOTS = [...POST_ROOTS, 'options'] as const
const TEXT_ROOTS = [...ROOTS, 'octets'] as const
const MAX_TEXT_LENGTH = 4_096
/** Characters of a GSM 7-bit segment without header. A longer text is complete. */
const MAX_SEGMENT_LENGTH = 160
const MAX_REFERENCE = 0xffff
const MAX_SEGMENTS = 255

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
    const reference = numberAt(scope, segment.reference, MAX_REFERENCE)
    const total = numberAt(scope, segment.total, MAX_SEGMENTS)
    if (Number.isNaN(reference) || !(total > 1)) return null
    return concatenationOf(reference, total, numberAt(scope, segment.segment, MAX_SEGMENTS))
  }
  return (whole, country, contents) => {
    const number = makeReadNumber(country)
    for (const scope of itemsOf(whole, each)) {
      if (!wanted(scope)) continue
      const [received_id, sender, addressee] = [shortText(readText(scope, id)), number(scope, from), number(scope, to)]
      if (received_id === undefined || !sender || !addressee) {
        contents.skipped += 1
        continue
      }
      const given_text = readText(scope, text) ?? ''
      const written = (is_octets ? decoded(given_text, readText(scope, charset)) : given_text)
        .replaceAll('\u0000', '')
        .slice(0, MAX_TEXT_LENGTH)
      const one = { carrier, from: sender, to: addressee, text: written, channel: 'sms' as const, received_id }
      const concatenation = given.segments && written.length <= MAX_SEGMENT_LENGTH ? segmentOf(scope) : null
      contents.texts.push(concatenation ? { ...one, concatenation } : one)
    }
  }
}

/** Data without a charset, such as 8-bit data, is shown as hex. */
function decoded(octets: string, charset = 'UTF-8'): string {
  const bytes = Buffer.from(octets, 'latin1')
  const utf16 = decodeUtf16(bytes, charset)
  return decodeText(bytes, charset) ?? (utf16 === undefined ? bytes.toString('hex') : withoutHalves(utf16))
}

/** Reads opt-outs at the vendor or the network, with the sender that they are for. */
export function compileOptouts(
  given: NonNullable<Preset['optouts']>,
  carrier: string,
  reportFault: ReportFault,
): ReadTexts {
  const each = compilePath(given.each, ROOTS, 'optouts.each', reportFault)
  const wanted = compileCondition(given.when, ROOTS, 'optouts.when', reportFault)
  const recipients = compilePaths(given.recipient, ROOTS, 'optouts.recipient', reportFault)
  const senders = compilePaths(given.sender, ROOTS, 'optouts.sender', reportFault)
  return (whole, country, contents) => {
    const plan = dialPlan(country)
    for (const scope of itemsOf(whole, each)) {
      if (!wanted(scope)) continue
      const recipient = cleanDigits(shortText(readText(scope, recipients)) ?? '', plan)
      const sender_id = shortText(readText(scope, senders))?.trim()
      if (recipient === undefined || !sender_id) contents.skipped += 1
      else contents.optouts.push({ carrier, recipient, sender_id })
    }
  }
}

/** A phone number with country code; a name or short code unchanged. */
function makeReadNumber(country: string): (scope: Scope, paths: readonly Path[]) => string | undefined {
  const plan = dialPlan(country)
  return (scope, paths) => {
    const raw = shortText(readText(scope, paths))?.trim()
    return raw === undefined ? undefined : (cleanDigits(raw, plan) ?? raw.replace(/^\+/, ''))
  }
}
