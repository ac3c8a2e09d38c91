export type Webhook = {
  id: string
  url: string
  events: string[]
  description?: string
  enabled: boolean
  disabled_reason?: string
  failing_since?: string
  old_secret_until?: string
  created_datetime: string
  updated_datetime?: string
}

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
