import { Type, type Static } from '../../values/schema/type.ts'
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../messaging/schema.ts'
import type { Search } from '../../messaging/read/search.ts'
import type { Caller } from '../../organisations/store.ts'
import { decodeCursor } from '../../values/cursor.ts'
import { isId } from '../../values/id.ts'
import { INVALID_CURSOR, MAX_PAGE_LIMIT } from '../../values/page.ts'
import { cleanDigits, dialPlan } from '../../values/phone/phone.ts'
import { refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import { readTime } from '../read-time.ts'

export const SearchQuery = Type.Object({
  recipient: Type.Optional(Type.String({ maxLength: 60 })),
  external_ref: Type.Optional(Type.String({ maxLength: 255 })),
  /** Part of a reference, or a number. */
  text: Type.Optional(Type.String({ maxLength: 255 })),
  campaign_id: Type.Optional(Type.String({ maxLength: 40 })),
  status: Type.Optional(Type.Unsafe<DeliveryStatus>({ type: 'string', enum: [...DELIVERY_STATUSES] })),
  from: Type.Optional(Type.String({ maxLength: 40 })),
  until: Type.Optional(Type.String({ maxLength: 40 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE_LIMIT })),
  query_id: Type.Optional(Type.String({ maxLength: 200 })),
})
export type SearchQuery = Static<typeof SearchQuery>

/** Parses the search, and throws with all errors. */
export function readSearch(
  { default_country }: Caller,
  query: SearchQuery,
  faults: Fault[],
): { search: Search; before: string | undefined } {
  refuseIfFaulty(faults.filter(({ type }) => type === 'string_type')) // given twice
  const recipient = query.recipient ? cleanDigits(query.recipient, dialPlan(default_country)) : undefined
  if (query.recipient && recipient === undefined) {
    faults.push({ field: 'recipient', message: 'This is not a phone number.', type: 'phone_invalid' })
  }
  if (query.external_ref?.includes('\0')) {
    faults.push({ field: 'external_ref', message: 'No reference has such a character.', type: 'invalid' })
  }
  if (query.text && (query.recipient || query.external_ref)) {
    faults.push({ field: 'text', message: 'Search by text, or by recipient and reference.', type: 'invalid' })
  }
  if (query.text?.includes('\0')) {
    faults.push({ field: 'text', message: 'No reference has such a character.', type: 'invalid' })
  }
  if (query.campaign_id && (query.recipient || query.external_ref || query.text || query.status)) {
    faults.push({ field: 'campaign_id', message: 'Search by campaign, or by something else.', type: 'invalid' })
  }
  const from_ms = readTime('from', query.from, faults)
  const until_ms = readTime('until', query.until, faults)
  const before = query.query_id ? decodeCursor(query.query_id) : undefined
  if (query.query_id && !isId(before)) faults.push(INVALID_CURSOR)
  refuseIfFaulty(faults)
  const { status, external_ref } = query
  const part = query.text?.trim()
  const text = part ? { part, recipient: cleanDigits(part, dialPlan(default_country)) } : undefined
  return { search: { recipient, status, text, external_ref: external_ref || undefined, from_ms, until_ms }, before }
}
