import type { ToldCallback } from '../../callbacks/callback.ts'
import type { Delivery, DeliveryStatus, ShownLink } from '../../../../src/messaging/schema.ts'

export type Statuses = Partial<Record<DeliveryStatus, number>>

export type FoundMessage = {
  id: string
  channel: string
  sender_id?: string
  content?: string
  external_ref?: string
  template_id?: string
  callback?: string
  created_datetime: string
  updated_datetime?: string
  /** The first three. */
  recipients: string[]
  recipients_total: number
  statuses: Statuses
  charge: number
  /** What became of the number that was searched for. */
  match?: { recipient: string; status: string; code?: string; description?: string }
}

export type SentDelivery = Delivery & { carrier?: string; route?: string; text?: string }

export type MessageAnswer = { message: FoundMessage; deliveries: SentDelivery[] }

export type TimelineEvent = {
  kind: 'accepted' | 'sent' | 'ended' | 'refunded' | 'callback' | 'click'
  created_datetime: string
  status?: DeliveryStatus
  code?: string
  description?: string
  carrier?: string
  charge?: number
  callback?: ToldCallback
  /** Of a click: where it led, and how often. */
  url?: string
  clicks?: number
}

export type TimelineAnswer = {
  recipient: string
  status: DeliveryStatus
  text?: string
  links?: ShownLink[]
  events: TimelineEvent[]
}

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
