import type { PriceList, PriceRule } from '../../api-types.ts'
import type { Beginning } from '../../answers.ts'
import { t } from '../../text/text.ts'

export const PRICE_LISTS = '/console/api/price-lists'

/** What is read again after a change of prices. */
export const STALE: readonly Beginning[] = [PRICE_LISTS, '/console/api/audit']

/** Whether operators change it here. */
export const isOurs = ({ managed_by }: PriceList): boolean => managed_by === 'operator'

type Target = Pick<PriceRule, 'channel' | 'route_class' | 'prefix' | 'country' | 'operator'>

/** What a rule applies to: `SMS · Nigeria · MTN · 234803`. */
export function targetName({ channel, route_class, prefix, country, operator }: Target): string {
  const parts = [
    channel === 'sms' ? 'SMS' : 'WhatsApp',
    country,
    operator,
    prefix === '' ? undefined : `+${prefix}`,
    route_class === undefined ? undefined : CLASSES[route_class],
  ].filter((part) => part !== undefined)
  return parts.length === 1 ? t('{channel}, all other numbers', { channel: parts[0] ?? '' }) : parts.join(' · ')
}

const CLASSES = { transactional: t('transactional'), promotional: t('promotional') }
