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

export const MESSAGES = '/console/api/messages'
