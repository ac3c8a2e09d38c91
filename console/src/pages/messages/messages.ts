import type { DeliveryStatus } from '../../types.ts'
import { t } from '../../text/text.ts'
import { phoneText } from '../../ui/Phone.tsx'

export const STATUSES: readonly DeliveryStatus[] = [
  'scheduled',
  'queued',
  'sent',
  'delivered',
  'undelivered',
  'expired',
  'rejected',
  'failed',
  'unknown',
  'canceled',
]

export const STATUS_NAMES: Record<DeliveryStatus, string> = {
  scheduled: t('scheduled||status'),
  queued: t('queued||status'),
  sent: t('sent||status'),
  delivered: t('delivered||status'),
  undelivered: t('undelivered||status'),
  expired: t('expired||status'),
  rejected: t('rejected||status'),
  failed: t('failed||status'),
  unknown: t('unknown||status'),
  canceled: t('canceled||status'),
}

export function channelName(channel: string): string {
  return channel === 'sms' ? 'SMS' : 'WhatsApp'
}

/** Names a message to screen readers, by its first recipient. */
export function messageTo([recipient = '–']: readonly string[]): string {
  return t('message to {phone}', { phone: phoneText(recipient) })
}

export const MESSAGES = '/console/api/messages'
