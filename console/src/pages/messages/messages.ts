import type { DeliveryStatus } from '../../../../src/messaging/schema.ts'

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

export function channelName(channel: string): string {
  return channel === 'sms' ? 'SMS' : 'WhatsApp'
}

export const MESSAGES = '/console/api/messages'
