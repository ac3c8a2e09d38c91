import type { Channel } from '../../carriers/message-carrier.ts'
import type { PageForm } from '../../values/sms/page-form.ts'
import type { Fault } from '../../values/refusal.ts'
import type { DraftDelivery } from '../draft.ts'
import type { Texts } from './texts.ts'
import type { RoutedRecipient } from './routing.ts'

export type Priced = Pick<
  DraftDelivery,
  'recipient' | 'charge' | 'price_rule_id' | 'pages' | 'route' | 'whatsapp' | 'promotional'
> & { page_form: PageForm }

/** The charge of each recipient's text. */
export function priceTexts(
  channel: Channel,
  routed: readonly RoutedRecipient[],
  texts: Texts,
  faults: Fault[],
): Priced[] {
  const priced: Priced[] = []
  let last = { per_page: 0n, pages: 0, charge: 0n }
  for (let n = 0; n < routed.length; n += 1) {
    const { recipient, route, per_page, price_rule_id, page_form, promotional } = routed[n]!
    if (per_page === undefined || route === undefined) {
      const message = `No ${per_page === undefined ? 'price' : 'route'} is configured for ${recipient} on ${channel}.`
      faults.push({ field: `recipients[${n}]`, message, type: 'invalid' })
      continue
    }
    const { pages } = texts.of(n).size
    if (last.pages !== pages || last.per_page !== per_page) last = { per_page, pages, charge: per_page * BigInt(pages) }
    priced.push({ recipient, charge: last.charge, price_rule_id, pages, route, page_form, promotional })
  }
  return priced
}
