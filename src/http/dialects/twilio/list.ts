import { serviceSidOf } from '../../../callbacks/formats/address.ts'
import { listSentAndReceived, type SentOrReceived } from '../../../messaging/read/sent-and-received.ts'
import { cleanPhone, dialPlan } from '../../../values/phone/phone.ts'
import { isStorable } from '../../../values/input/storable.ts'
import { readMoment } from '../../../values/time/moment.ts'
import type { HttpDeps } from '../../deps.ts'
import { field, type Form } from '../request.ts'
import type { TwilioRequest } from './add-routes.ts'
import { TwilioFault } from './errors.ts'
import { pageOf, readPageAsked } from './pages.ts'
import { messageResource, type ShownMessage } from './resources.ts'

const LONGEST_ADDRESS = 40
const DAY_MS = 86_400_000

/** Lists sent messages and received texts, newest first. */
export async function listMessages(deps: HttpDeps, request: TwilioRequest): Promise<object> {
  const { caller, account_sid, query } = request
  const asked = readPageAsked(query)
  const { default_country } = caller
  const wanted = {
    from: readAddress(query, 'From', default_country, 21212),
    to: readAddress(query, 'To', default_country, 21211),
    ...readTimes(query),
  }
  const place = { before: asked.before, after: asked.after, limit: asked.size }
  const page = await listSentAndReceived(deps, caller.organisation_id, wanted, place)
  return pageOf(request, asked, 'messages', page, (one) => messageResource(account_sid, shownOf(one, caller.currency)))
}

/** A number, sender id or short code in every form it may be stored in, the number's own first. */
function readAddress(query: Form, name: string, country: string, code: number): string[] | undefined {
  const given = field(query, name)
  if (given === undefined) return undefined
  const address = given.replace(/^whatsapp:/i, '').trim()
  if (address === '' || address.length > LONGEST_ADDRESS || !isStorable(address)) {
    throw new TwilioFault(code, `'${name}' is not a phone number or sender.`)
  }
  const number = cleanPhone(address, dialPlan(country))
  return [...new Set([...(number === undefined ? [] : [number]), address.replace(/^\+/, '')])]
}

/** `DateSent` is a whole day in UTC, whatever its time; with `<` and `>` it is a timestamp, or the start of the day. */
function readTimes(query: Form): { from_ms?: number; until_ms?: number } {
  const [day, after, before] = [readTime(query, 'DateSent'), readTime(query, 'DateSent>'), readTime(query, 'DateSent<')]
  const first = day === undefined ? undefined : Math.floor(day / DAY_MS) * DAY_MS
  const from_ms = Math.max(first ?? -Infinity, after ?? -Infinity)
  const until_ms = Math.min(first === undefined ? Infinity : first + DAY_MS - 1, before ?? Infinity)
  return {
    ...(Number.isFinite(from_ms) ? { from_ms } : {}),
    ...(Number.isFinite(until_ms) ? { until_ms } : {}),
  }
}

/** A timestamp or a date. */
function readTime(query: Form, name: string): number | undefined {
  const given = field(query, name)
  if (given === undefined) return undefined
  const at = readMoment(/^\d{4}-\d\d-\d\d$/.test(given) ? `${given}T00:00:00Z` : given)
  if (at === undefined) throw new TwilioFault(20001, `${name} is a date or a date-time.`)
  return at
}

function shownOf({ id, sent, received }: SentOrReceived, currency: string): ShownMessage {
  if (received) return { ...received, ...receivedFields(received), media: received.media ? 1 : 0, id, currency }
  const [status = 'queued'] = sent.match ? [sent.match.status] : Object.keys(sent.statuses)
  return {
    ...sent,
    recipient: sent.match?.recipient ?? sent.recipients[0] ?? '',
    status,
    code: sent.match?.code,
    pages: 1,
    currency,
    direction: 'outbound-api',
    service_sid: serviceSidOf(sent.callback),
  }
}

/** A received text as a message: `From` is the person. */
export function receivedFields({ from, to, text }: { from: string; to: string; text: string }) {
  return {
    sender_id: from,
    recipient: to,
    content: text,
    status: 'received',
    pages: 1,
    charge: undefined,
    direction: 'inbound' as const,
  }
}
