import type { Answers } from '../../answers.ts'
import { t } from '../../text/text.ts'

export type Webhook = Answers['GET /webhooks']['webhooks'][number]

export const WEBHOOKS = '/webhooks'

/** What a webhook can hear of, in words. */
export const EVENTS = [
  ['text.delivered', t('Message delivered')],
  ['text.undelivered', t('Message undelivered')],
  ['text.expired', t('Message expired')],
  ['text.rejected', t('Message rejected')],
  ['text.failed', t('Message failed')],
  ['text.clicked', t('Link clicked')],
  ['text.read', t('Message read')],
  ['text.received', t('Text received')],
  ['airtime.success', t('Airtime arrived')],
  ['airtime.failed', t('Airtime failed')],
  ['airtime.duplicate', t('Airtime duplicate')],
  ['airtime.error', t('Airtime error')],
] as const
