import { createHmac } from 'node:crypto'
import { isRecord } from '../../values/record.ts'
import { textOf, type StoredEvent } from './event.ts'

const STATUSES: Record<string, string> = {
  queued: 'queued',
  scheduled: 'scheduled',
  sent: 'sent',
  delivered: 'delivered',
  undelivered: 'undelivered',
  expired: 'undelivered',
  rejected: 'failed',
  failed: 'failed',
  canceled: 'canceled',
  unknown: 'sent',
}

/** The status of a delivery in Twilio's terms. */
export function twilioStatus(status: string): string {
  return STATUSES[status] ?? 'sent'
}

/** Twilio's error code of a failed delivery; undefined if it arrived or still may. */
export function twilioErrorCode(status: string, code: string): number | undefined {
  if (status === 'expired') return 30003
  if (status === 'undelivered') return code === INACTIVE_NUMBER ? 30005 : 30003
  if (status === 'rejected') return code === 'opted_out' ? 21610 : 30007
  return status === 'failed' ? 30008 : undefined
}

const INACTIVE_NUMBER = '004'

/** The parameters that Twilio posts for an event: a delivery report or an inbound text. */
export function twilioParams(account_sid: string, event: StoredEvent): Record<string, string> {
  const { type, data } = event
  const shared = { AccountSid: account_sid, ApiVersion: '2010-04-01' }
  if (type === 'text.received') return { ...receivedParams(data), ...shared }
  const status = textOf(data, 'status')
  const sid = twilioSid('SM', textOf(data, 'id'))
  const twilio_status = type === 'text.read' ? 'read' : type === 'text.clicked' ? 'delivered' : twilioStatus(status)
  const error_code = twilioErrorCode(status, textOf(data, 'code'))
  return {
    ...(type.startsWith('text.') ? {} : { EventType: type }),
    MessageSid: sid,
    SmsSid: sid,
    MessageStatus: twilio_status,
    SmsStatus: twilio_status,
    To: twilioAddress(textOf(data, 'recipient'), textOf(data, 'channel')),
    From: twilioAddress(textOf(data, 'sender_id'), textOf(data, 'channel')),
    ...(error_code === undefined ? {} : { ErrorCode: String(error_code) }),
    ...shared,
  }
}

function receivedParams(data: Record<string, unknown>): Record<string, string> {
  const sid = twilioSid('SM', textOf(data, 'id'))
  const channel = textOf(data, 'channel')
  return {
    MessageSid: sid,
    SmsSid: sid,
    SmsMessageSid: sid,
    SmsStatus: 'received',
    From: twilioAddress(textOf(data, 'from'), channel),
    To: twilioAddress(textOf(data, 'to'), channel),
    Body: textOf(data, 'text'),
    NumMedia: '0',
    NumSegments: '1',
    ...contentParams(data.whatsapp),
  }
}

/** What Twilio says of a WhatsApp message besides its text. It has no parameters for reactions. */
function contentParams(whatsapp: unknown): Record<string, string> {
  if (!isRecord(whatsapp)) return {}
  const [reply, location] = [whatsapp.button_reply ?? whatsapp.list_reply, whatsapp.location]
  const type = textOf(whatsapp, 'type')
  return {
    MessageType: MESSAGE_TYPES[type] ?? type,
    ...(typeof whatsapp.reply_to === 'string' ? { OriginalRepliedMessageSid: twilioSid('SM', whatsapp.reply_to) } : {}),
    ...(isRecord(reply) ? { ButtonText: textOf(reply, 'title'), ButtonPayload: textOf(reply, 'id') } : {}),
    ...(isRecord(location)
      ? {
          Latitude: textOf(location, 'latitude'),
          Longitude: textOf(location, 'longitude'),
          ...(location.name === undefined ? {} : { Label: textOf(location, 'name') }),
          ...(location.address === undefined ? {} : { Address: textOf(location, 'address') }),
        }
      : {}),
  }
}

const MESSAGE_TYPES: Record<string, string> = { button_reply: 'button', list_reply: 'interactive' }

/** An id in the form of a Twilio SID. */
export function twilioSid(prefix: string, id: string): string {
  return prefix + id.replaceAll('-', '')
}

/** A number has a plus; a name or short code has none. */
export function twilioAddress(address: string, channel: string): string {
  const written = /^[0-9]{7,15}$/.test(address) ? `+${address}` : address
  return channel === 'whatsapp' ? `whatsapp:${written}` : written
}

/** HMAC-SHA-1 of the URL and all parameters sorted by name, with the account's auth token. */
export function twilioSignature(auth_token: string, url: string, params: Record<string, string>): string {
  const names = Object.keys(params).sort()
  const signed = url + names.map((name) => name + params[name]).join('')
  return createHmac('sha1', auth_token).update(signed, 'utf8').digest('base64')
}
