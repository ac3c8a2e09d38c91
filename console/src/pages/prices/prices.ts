import type { PriceList, PriceRule } from '../../api-types.ts'
import type { Beginning } from '../../answers.ts'
import { t } from '../../text/text.ts'

export const PRICE_LISTS = '/console/api/price-lists'

export const ASSIGNMENTS = '/console/api/cost-assignments'

/** What is read again after a change of prices or costs. */
export const STALE: readonly Beginning[] = [PRICE_LISTS, ASSIGNMENTS, '/console/api/audit']

export type ListKind = PriceList['kind']

/** A cost list has the form of a price list: only these texts differ. */
export const WORDS = {
  price: {
    path: '/prices',
    title: t('Prices'),
    lead: t('Price lists: what organisations pay per page. Assign them on the page of the organisations.'),
    lists: t('Price lists'),
    all: t('All price lists'),
    unknown: t('There is no such price list.'),
    create: t('Create a price list'),
    example: 'wholesale',
    list_lead: t('Prices per page. Of the rules that apply to a number, the most specific one decides.'),
    no_rules: t('Set a price, or import a rate sheet. Organisations with this list cannot send until then.'),
    set: t('Set a price'),
    was_set: t('Price set'),
    change: (target: string) => t('Change the price of {target}', { target }),
    saved: t('The price is saved.'),
    same: t('The list has this price already.'),
    amount: t('Price'),
    per_page: t('Price per page'),
    operator_hint: t('Such as MTN. Ported numbers count.'),
    none_hint: t('Empty: the list has no price of its own for it.'),
    from_hint: t('Empty: from now. Messages accepted before keep their price.'),
  },
  cost: {
    path: '/costs',
    title: t('Costs'),
    lead: t('Cost lists: what carriers charge per page. Margins are what is left of the prices.'),
    lists: t('Cost lists'),
    all: t('All cost lists'),
    unknown: t('There is no such cost list.'),
    create: t('Create a cost list'),
    example: 'mtn-direct',
    list_lead: t('Costs per page. Of the rules that apply to a number, the most specific one decides.'),
    no_rules: t('Set a cost, or import the rate sheet of the carrier. Costs are not known until then.'),
    set: t('Set a cost'),
    was_set: t('Cost set'),
    change: (target: string) => t('Change the cost of {target}', { target }),
    saved: t('The cost is saved.'),
    same: t('The list has this cost already.'),
    amount: t('Cost'),
    per_page: t('Cost per page'),
    operator_hint: t('Such as MTN. The operator of the number prefix counts.'),
    none_hint: t('Empty: the list has no cost of its own for it.'),
    from_hint: t('Empty: from now. Messages submitted before keep their cost.'),
  },
} as const

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
