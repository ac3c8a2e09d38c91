import type { Channel } from '../../carriers/message-carrier.ts'
import type { Fault } from '../../values/refusal.ts'
import type { Seal } from '../../values/secrets/seal.ts'
import { measureText } from '../../values/sms/sms-text.ts'
import { textFault } from './check.ts'
import type { Draft } from '../draft.ts'
import { deliverySeal, joinToken } from '../sealed-text.ts'
import type { Tariff } from './tariff.ts'

export type SecretText = {
  id: string
  channel: Channel
  sender_id: string | null
  recipient: string
  text: string
  /** The one-time password in it, for networks that take it separately; sealed with the text. */
  token?: string | undefined
  /** The part of the text that may be shown and stored: as long as the text, in the same alphabet. */
  shown: string
  priority: number
  expires_in_s: number
}

/**
 * Composes a text to one number for modules that send their own texts: it is sealed until it is submitted, and sent
 * unchanged, without smart encoding or tracked links. Undefined, with a fault on `recipient`, if no price or route is
 * configured for the number.
 */
export function composeSecretText(
  deps: { tariff: Tariff; seal: Seal },
  { id, channel, sender_id, recipient, text, token, shown, priority, expires_in_s }: SecretText,
  faults: Fault[],
): Draft | undefined {
  const price = deps.tariff.price(channel, recipient)
  const route = deps.tariff.route(channel, recipient)
  const size = measureText(shown, deps.tariff.pageForm(channel, route))
  const fault = textFault(shown, size, { channel })
  if (fault) faults.push({ field: 'content', ...fault })
  if (price === undefined || route === undefined) {
    const message = `No ${price === undefined ? 'price' : 'route'} is configured for ${recipient} on ${channel}.`
    faults.push({ field: 'recipient', message, type: 'invalid' })
    return undefined
  }
  const charge = price.per_page * BigInt(size.pages)
  const sealed_text = deps.seal.close(joinToken(text, token), deliverySeal({ message_id: id, recipient }))
  return {
    id,
    channel,
    sender_id,
    content: shown,
    personalisation: undefined,
    external_ref: undefined,
    is_trackable: false,
    callback: undefined,
    ...size,
    charge,
    priority,
    expires_in_s,
    deliveries: [{ recipient, charge, price_rule_id: price.price_rule_id, pages: size.pages, route, sealed_text }],
  }
}
