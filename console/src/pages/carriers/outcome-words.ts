import type { ShownProbe } from '../../api-types.ts'
import { t } from '../../text/text.ts'

/** What a carrier answered to a message that was submitted beside all routes: a test message or a probe. */
export const OUTCOMES: Record<ShownProbe['outcome'], string> = {
  submitting: t('not answered yet'),
  accepted: t('accepted by the carrier'),
  rejected: t('rejected by the carrier'),
  temporary: t('refused for now'),
  held: t('not submitted'),
  undelivered: t('refused in part'),
  unknown: t('no answer: it may have been sent'),
}
