import type { SenderClass } from '../../types.ts'
import { t } from '../../text/text.ts'

export const SENDERS = '/senders'
export const DECISIONS = '/console/api/senders'

/** What a sender is for, in a word. */
export const CLASSES: Record<SenderClass, string> = {
  transactional: t('transactional'),
  promotional: t('promotional'),
}
