import type { CampaignsCreateBody, Delivery, RegisteredSender } from '../../clients/typescript/src/types.ts'
import type {
  BindFigures,
  CallbackWithAttempts,
  Overview,
  ReviewAnswer,
  SendersAnswer,
  Session,
  ShownKey,
  ShownPhoneCarrier,
} from './api-types.ts'

// Parts of generated types that pages pass around.

export type AnyonesSender = SendersAnswer['senders'][number]
export type Bucket = BindFigures['latency_ms'][number]
export type CallbackAttempt = CallbackWithAttempts['attempts_log'][number]
export type CampaignBody = CampaignsCreateBody
export type DeliveryStatus = Delivery['status']
export type Right = Session['rights'][string]
export type Scope = NonNullable<ShownKey['scopes']>[number]
export type SenderClass = RegisteredSender['class']
export type Series = Overview['series']
export type ShownPhone = ShownPhoneCarrier['phones'][number]
export type Totals = Overview['totals']
export type WaitingPurchase = ReviewAnswer['purchases'][number]
