import type { Answers } from '../../answers.ts'

export type Webhook = Answers['GET /webhooks']['webhooks'][number]

export const WEBHOOKS = '/webhooks'

/** What a webhook can hear of, in words. */
export const EVENTS = [
  ['text.delivered', 'Message delivered'],
  ['text.undelivered', 'Message undelivered'],
  ['text.expired', 'Message expired'],
  ['text.rejected', 'Message rejected'],
  ['text.failed', 'Message failed'],
  ['text.clicked', 'Link clicked'],
  ['text.received', 'Text received'],
  ['airtime.success', 'Airtime arrived'],
  ['airtime.failed', 'Airtime failed'],
  ['airtime.duplicate', 'Airtime twice'],
  ['airtime.error', 'Airtime error'],
] as const
