/**
 * Where the events of a request are told, and in whose form. It is kept in the column of the callback: a plain URL is
 * told in ours, and any other form stands in front of the URL, parted from it by a blank. So a message costs the same
 * whatever form its sender wants. No customer can write one: what they give is checked to be a URL.
 */
export type CallbackAddress =
  | { format: 'standard'; url: string }
  /** Without a URL nothing is posted: only the messaging service it was sent by is kept. */
  | { format: 'twilio'; url: string; account_sid: string; key_id: string; service_sid: string | undefined }
  | { format: 'kannel'; url: string; mask: number; username: string }
  | ({ format: 'smpp'; url: '' } & SmppAddress)

/** No URL at all: an account that is told over its bind. */
export type SmppAddress = {
  account_id: string
  /** As registered_delivery has it: 1 all, 2 failures, 3 successes. */
  wants: number
  /** The segments of a long text whose reports are wanted; of a short one none, it is reported whole. */
  segments: readonly number[]
  /** user_message_reference of the submit, or of each of these segments, to be repeated in the report; null: it had none. */
  user_references: readonly (number | null)[]
}

/** The form in front of a URL, without the URL. With the SID of a messaging service it is also an address of its own. */
export function twilioForm(account_sid: string, key_id: string, service_sid?: string): string {
  return `${TWILIO}${account_sid}:${key_id}${service_sid === undefined ? '' : `:${service_sid}`}`
}

const TWILIO = 'twilio:'

/** The messaging service a message was sent by, where its sender named one. */
export function serviceSidOf(stored: string | null | undefined): string | undefined {
  if (!stored?.startsWith(TWILIO)) return undefined
  const address = readAddress(stored)
  return address.format === 'twilio' ? address.service_sid : undefined
}

/** Whether a state before the final one is posted there: `queued` and `sent` are, as Twilio posts them. */
export function wantsSteps(stored: string | null | undefined): boolean {
  return stored?.startsWith(TWILIO) === true && urlOf(stored) !== ''
}

/** Whether anything is posted or delivered there at all. */
export function hasReceiver(stored: string): boolean {
  return isSmpp(stored) || urlOf(stored) !== ''
}

export function kannelForm(mask: number, username: string): string {
  return `kannel:${mask}:${encodeURIComponent(username)}`
}

/** A whole address: there is no URL behind it. */
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

/** Whether who asked for these reports wants to hear of this state. */
export function smppWants(wants: number, status: string): boolean {
  return wants === 1 || (wants === 3) === (status === 'delivered')
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

/** The URL alone, for whoever reads it; empty where there is none. */
export function urlOf(stored: string): string {
  return readAddress(stored).url
}
