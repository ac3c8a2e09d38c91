import { urlFault, type AddressMode } from '../../callbacks/post/address-guard.ts'
import type { Channel } from '../../carriers/message-carrier.ts'
import { unapproved } from '../../senders/approved.ts'
import { MAX_PAGES, type SmsText } from '../../values/sms/sms-text.ts'
import type { Fault } from '../../values/refusal.ts'
import { isStorable } from '../../values/input/storable.ts'
import { MAX_WHATSAPP_CHARACTERS, type SendBody } from '../schema.ts'
import { type RouteClass } from '../settings.ts'

const SENDER_CHARACTERS = /^[A-Za-z0-9 ._&-]*$/
const SENDER_LENGTH = 11
const NUMBER = /^[0-9]{12,15}$/

/** Reads `channel` in any case; a fault and `sms` when it is neither. */
export function readChannel(given: unknown, faults: Fault[]): Channel {
  if (typeof given !== 'string') return 'sms' // absent, or already reported as a fault
  const channel = given.toLowerCase()
  if (channel === 'sms' || channel === 'whatsapp') return channel
  faults.push({ field: 'channel', message: 'The channel is `sms` or `whatsapp`.', type: 'enum' })
  return 'sms'
}

/** Reads `route_class` in any case; a fault and `transactional` when it is neither. */
export function readRouteClass(given: unknown, faults: Fault[]): RouteClass {
  if (typeof given !== 'string') return 'transactional'
  const route_class = given.toLowerCase()
  if (route_class === 'transactional' || route_class === 'promotional') return route_class
  const message = 'The route class is `transactional` or `promotional`.'
  faults.push({ field: 'route_class', message, type: 'enum' })
  return 'transactional'
}

export function checkSender(
  given: unknown,
  fallback: string | null,
  channel: Channel,
  faults: Fault[],
  numbers_too = false,
): string | null {
  if (given === undefined) {
    if (fallback === null && channel === 'sms') {
      faults.push({ field: 'sender_id', message: 'A sender ID is required.', type: 'missing' })
    }
    return fallback
  }
  if (typeof given !== 'string') return null
  if (numbers_too && NUMBER.test(given)) return given
  if (given.trim() === '') {
    faults.push({ field: 'sender_id', message: 'A sender ID has at least one character.', type: 'string_too_short' })
  } else if (given.length > SENDER_LENGTH) {
    const message = `A sender ID has at most ${SENDER_LENGTH} characters.`
    faults.push({ field: 'sender_id', message, type: 'string_too_long' })
  } else if (!SENDER_CHARACTERS.test(given)) {
    const message = 'A sender ID consists of letters, digits, spaces and -_.& only.'
    faults.push({ field: 'sender_id', message, type: 'invalid' })
  }
  return given
}

/** At least one of content and template is required; what `whatsapp` needs is checked with it. */
export function checkSource({ content, template_id, whatsapp }: Partial<SendBody>, faults: Fault[]): void {
  if (content !== undefined || template_id !== undefined || whatsapp !== undefined) return
  const message = 'Either content or template_id is required.'
  faults.push({ field: 'content', message, type: 'missing' }, { field: 'template_id', message, type: 'missing' })
}

/** The fault of a text; one that is too long is refused, never truncated. */
export function textFault(
  text: string,
  { pages }: SmsText,
  { channel, most = MAX_WHATSAPP_CHARACTERS }: { channel: Channel; most?: number | undefined },
): Omit<Fault, 'field'> | undefined {
  if (text === '') return { message: 'The text is empty.', type: 'string_too_short' }
  if (text.includes('\u0000')) return { message: 'The text holds a NUL character.', type: 'invalid' }
  if (!isStorable(text)) return { message: 'The text holds half of a character.', type: 'invalid' }
  if (channel === 'whatsapp' && text.length > most) {
    return { message: `A WhatsApp text has at most ${most} characters.`, type: 'string_too_long' }
  }
  if (pages > MAX_PAGES) {
    return { message: `The text is ${pages} pages long; at most ${MAX_PAGES} are sent.`, type: 'string_too_long' }
  }
  return undefined
}

export function checkCallback(given: unknown, mode: AddressMode, faults: Fault[]): void {
  if (typeof given !== 'string') return
  const fault = urlFault(given, mode)
  if (fault !== undefined) faults.push({ field: 'callback', message: fault, type: 'url_parsing' })
}

/** Personalisation is stored as JSON, which excludes some characters. */
export function checkPersonalisation(given: SendBody['personalisation'], faults: Fault[]): void {
  for (const [n, { to, substitutions }] of (given ?? []).entries()) {
    for (const [field, text] of Object.entries({ to, substitutions: Object.entries(substitutions).join() })) {
      if (isStorable(text)) continue
      const message = 'This value holds a character that cannot be stored.'
      faults.push({ field: `personalisation[${n}].${field}`, message, type: 'invalid' })
    }
  }
}

/** In live mode SMS require an approved sender. Test organisations reach no phone, and WhatsApp shows its own name. */
export function checkApproved(
  { sandbox }: { sandbox: boolean },
  { mode, approved_senders }: { mode: 'live' | 'test'; approved_senders: readonly string[] },
  { sender_id, channel }: { sender_id: string | null; channel: Channel },
  faults: Fault[],
): void {
  if (sandbox || mode === 'test' || channel !== 'sms' || sender_id === null) return
  if (faults.some(({ field }) => field === 'sender_id')) return
  if (approved_senders.includes(sender_id.toLowerCase())) return
  faults.push({ field: 'sender_id', message: unapproved(sender_id), type: 'invalid' })
}
