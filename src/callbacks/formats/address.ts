import { kannelWants } from './kannel.ts'

/**
 * Where the events of a request are sent, and in which format. Stored in the `callback` column: a plain URL receives the
 * standard format; another format precedes the URL, separated by a blank. Customers cannot write such a prefix, because
 * what they give must be a URL.
 */
export type CallbackAddress =
  | { format: 'standard'; url: string }
  /** Without a URL nothing is posted: it only stores the messaging service. */
  | { format: 'twilio'; url: string; account_sid: string; key_id: string; service_sid: string | undefined }
  | { format: 'kannel'; url: string; mask: number; username: string }
  | ({ format: 'smpp'; url: '' } & SmppAddress)

/** An SMPP account, which receives events over its bind. */
export type SmppAddress = {
  account_id: string
  /** As in registered_delivery: 1 all, 2 failures, 3 successes. */
  wants: number
  /** The segments of a long text whose reports are wanted; empty for a short text. */
  segments: readonly number[]
  /** user_message_reference of the submit, or of each of these segments, repeated in the report; null: absent. */
  user_references: readonly (number | null)[]
}

/** The prefix of a URL in Twilio's format. With the SID of a messaging service it is also a complete address. */
export function twilioForm(account_sid: string, key_id: string, service_sid?: string): string {
  return `${TWILIO}${account_sid}:${key_id}${service_sid === undefined ? '' : `:${service_sid}`}`
}

const TWILIO = 'twilio:'

/** The messaging service that a message was sent by, if its sender named one. */
export function serviceSidOf(stored: string | null | undefined): string | undefined {
  if (!stored?.startsWith(TWILIO)) return undefined
  const address = readAddress(stored)
  return address.format === 'twilio' ? address.service_sid : undefined
}

/** Whether intermediate states are posted: Twilio posts `queued` and `sent`. */
export function wantsSteps(stored: string | null | undefined): boolean {
  return stored?.startsWith(TWILIO) === true && urlOf(stored) !== ''
}

/** Whether the address receives anything at all. */
export function hasReceiver(stored: string): boolean {
  return isSmpp(stored) || urlOf(stored) !== ''
}

/** Whether read receipts are posted: neither Kannel nor SMPP has them. */
export function wantsReads(stored: string): boolean {
  const { format, url } = readAddress(stored)
  return (format === 'standard' || format === 'twilio') && url !== ''
}

export function kannelForm(mask: number, username: string): string {
  return `kannel:${mask}:${encodeURIComponent(username)}`
}

/** A complete address, without a URL. */
export function smppForm({ account_id, wants, segments, user_references }: SmppAddress): string {
  const references = user_references.some((one) => one !== null) ? `:${user_references.join(',')}` : ''
  return `${SMPP}${account_id}:${wants}:${segments.join(',')}${references}`
}

const SMPP = 'smpp:'

export function isSmpp(stored: string): boolean {
  return stored.startsWith(SMPP)
}

export function readSmppAddress(stored: string): SmppAddress {
  const [, account_id = '', wants, segments = '', references = ''] = stored.split(':')
  return {
    account_id,
    wants: Number(wants),
    segments: segments === '' ? [] : segments.split(',').map(Number),
    user_references: references.split(',').map((one) => (one === '' ? null : Number(one))),
  }
}

/** Whether the registered_delivery of a submit asks for a report of this status. */
export function smppWants(wants: number, status: string): boolean {
  return wants === 1 || (wants === 3) === (status === 'delivered')
}

/** Whether a report of this status is wanted: clients of Kannel and SMPP select statuses, all others get every one. */
export function wantsReport(callback: string, status: string): boolean {
  const address = readAddress(callback)
  if (address.format === 'smpp') return smppWants(address.wants, status)
  if (address.format === 'kannel') return kannelWants(address.mask, status)
  return hasReceiver(callback)
}

export function readAddress(stored: string): CallbackAddress {
  if (isSmpp(stored)) return { format: 'smpp', url: '', ...readSmppAddress(stored) }
  const blank = stored.startsWith(TWILIO) && !stored.includes(' ') ? stored.length : stored.indexOf(' ')
  if (blank < 0 || stored.startsWith('http')) return { format: 'standard', url: stored }
  const url = stored.slice(blank + 1)
  const [format, first = '', second = '', third] = stored.slice(0, blank).split(':')
  if (format === 'twilio') return { format, url, account_sid: first, key_id: second, service_sid: third }
  if (format === 'kannel') return { format, url, mask: Number(first), username: decodeURIComponent(second) }
  return { format: 'standard', url: stored }
}

/** The URL alone; empty if there is none. */
export function urlOf(stored: string): string {
  return readAddress(stored).url
}
