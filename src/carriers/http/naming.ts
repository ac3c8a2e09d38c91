import { createHash } from 'node:crypto'
import { isId } from '../../values/id.ts'
import { STANDARD_PAGES } from '../../values/sms/page-form.ts'
import { isGsm, measureText } from '../../values/sms/sms-text.ts'
import type { OutgoingMessage } from '../message-carrier.ts'
import type { Scope } from './mapping/path.ts'

/** A delivery, as named to vendors. */
export type DeliveryName = { organisation_id: string; message_id: string; recipient: string }

/** Our reference, which vendors return with reports: the delivery and its number of pages. */
export function writeRef(message: DeliveryName & { text: string }): string {
  const { pages } = measureText(message.text, STANDARD_PAGES)
  return [message.organisation_id, message.message_id, message.recipient, pages].join('.')
}

const PHONE = /^\d{7,15}$/

/** Undefined if it is not a reference of ours. */
export function readRef(text: string | undefined): (DeliveryName & { pages: number }) | undefined {
  const [organisation_id, message_id, recipient = '', pages = '', ...rest] = text?.slice(0, 120).split('.') ?? []
  if (!isId(organisation_id) || !isId(message_id) || !PHONE.test(recipient)) return undefined
  if (!/^\d{1,2}$/.test(pages) || rest.length > 0) return undefined
  return { organisation_id, message_id, recipient, pages: Number(pages) }
}

/** Identifies a delivery, the same for each of its attempts: 36 characters in the form of a UUID. */
export function nameOf({ message_id, recipient }: Omit<DeliveryName, 'organisation_id'>): string {
  const hex = createHash('sha256').update(`${message_id} ${recipient}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}

/** The id of a message if the vendor gives one id to all messages of a request. */
export function numberedId(id: string, recipient: string): string {
  return `${id}/${recipient}`
}

/** What a preset's request may use of a message. */
export function messageScope(
  message: OutgoingMessage,
  { report_url, feedback }: { report_url: string; feedback: boolean },
): Scope {
  const ref = writeRef(message)
  const { recipient, sender_id, text, expires_in_s, urgent, promotional } = message
  return {
    to: recipient,
    from: sender_id ?? undefined,
    text,
    id: nameOf(message),
    ref,
    report_url: `${report_url}${report_url.includes('?') ? '&' : '?'}ref=${ref}`,
    expires_in_s: expires_in_s === null ? undefined : Math.max(1, Math.round(expires_in_s)),
    urgent,
    feedback: feedback && urgent,
    promotional: promotional === true,
    unicode: !isGsm(text, STANDARD_PAGES),
  }
}
