import { twilioAddress, twilioErrorCode, twilioSid, twilioStatus } from '../../../callbacks/formats/twilio.ts'

/** A message with one recipient, as Twilio's format has it. */
export type ShownMessage = {
  id: string
  channel: string
  sender_id?: string | undefined
  content?: string | undefined
  recipient: string
  status: string
  code?: string | undefined
  description?: string | undefined
  pages: number
  charge: number | undefined
  currency: string
  direction: 'outbound-api' | 'inbound'
  created_datetime: string
  updated_datetime?: string | undefined
  service_sid?: string | undefined
  /** Not known of a message that is read later. */
  media?: number
}

export function messageResource(account_sid: string, message: ShownMessage): object {
  const sid = twilioSid('SM', message.id)
  const uri = `/2010-04-01/Accounts/${account_sid}/Messages/${sid}`
  const status = message.direction === 'inbound' ? 'received' : twilioStatus(message.status)
  const error_code = twilioErrorCode(message.status, message.code ?? '')
  const date_created = rfc2822(message.created_datetime)
  const is_out = !['queued', 'scheduled', 'canceled'].includes(status)
  return {
    // First, so that a truncated request log has it before the body.
    sid,
    account_sid,
    api_version: '2010-04-01',
    body: message.content ?? '',
    date_created,
    date_sent: is_out ? date_created : null,
    date_updated: rfc2822(message.updated_datetime ?? message.created_datetime),
    direction: message.direction,
    error_code: error_code ?? null,
    error_message: error_code === undefined ? null : (message.description ?? message.status),
    from: message.sender_id === undefined ? null : twilioAddress(message.sender_id, message.channel),
    messaging_service_sid: message.service_sid ?? null,
    num_media: String(message.media ?? 0),
    num_segments: String(message.pages),
    price: message.charge === undefined ? null : (-message.charge).toFixed(4),
    price_unit: message.currency,
    status,
    subresource_uris: { media: `${uri}/Media.json` },
    to: twilioAddress(message.recipient, message.channel),
    uri: `${uri}.json`,
  }
}

const SID = /^[A-Z]{2}([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/

/** Our id of a SID with this prefix; empty, which matches no row, if it is invalid. */
export function idOf(prefix: string, sid: string): string {
  if (!sid.startsWith(prefix)) return ''
  const [, ...parts] = SID.exec(sid) ?? []
  return parts.join('-')
}

/** `Tue, 14 Nov 2026 20:22:57 +0000` */
export function rfc2822(datetime: string): string {
  return new Date(datetime).toUTCString().replace('GMT', '+0000')
}

/** Format of Twilio's newer APIs. */
export function iso(datetime: string): string {
  return `${new Date(datetime).toISOString().slice(0, 19)}Z`
}
