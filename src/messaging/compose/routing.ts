import type { Channel } from '../../carriers/message-carrier.ts'
import type { PageForm } from '../../values/sms/page-form.ts'
import { DND_ROUTE, OPTED_OUT_ROUTE } from '../dispatch/refusing-carrier.ts'
import type { DndSetting, RouteClass } from '../settings.ts'
import type { Audience } from './audience.ts'
import type { Tariff } from './tariff.ts'

/** Route and price of a recipient, determined before the text: the route decides the page size. */
export type RoutedRecipient = {
  recipient: string
  /** Undefined where none is configured. */
  route: string | undefined
  per_page: bigint | undefined
  price_rule_id: number | null
  page_form: PageForm
  /** False also for a promotional message that goes to a number on a do-not-disturb list as a transactional one. */
  promotional: boolean
}

/** Finds route and price of each recipient. Neighbours mostly share a route, so its page form is reused. */
export function routeRecipients(
  dnd: DndSetting,
  tariff: Tariff,
  audience: Audience,
  message: { channel: Channel; route_class: RouteClass; recipients: readonly string[] },
): RoutedRecipient[] {
  const { channel } = message
  let last_route: string | undefined
  let page_form = tariff.pageForm(channel, last_route)
  return message.recipients.map((recipient) => {
    const { route, per_page, price_rule_id, promotional } = routeTo(recipient)
    if (route !== last_route) page_form = tariff.pageForm(channel, route)
    last_route = route
    return { recipient, route, per_page, price_rule_id, page_form, promotional }
  })

  function routeTo(recipient: string): Omit<RoutedRecipient, 'recipient' | 'page_form'> {
    const on_dnd_list = audience.isDnd(recipient)
    const opted_out = audience.isOptedOut(recipient)
    const route_class = on_dnd_list ? 'transactional' : message.route_class
    const promotional = route_class === 'promotional'
    if (opted_out || (on_dnd_list && dnd === 'skip')) {
      return { route: opted_out ? OPTED_OUT_ROUTE : DND_ROUTE, per_page: 0n, price_rule_id: null, promotional }
    }
    const facts = { operator: audience.operatorOf(recipient), route_class }
    const price = tariff.price(channel, recipient, facts)
    const route = tariff.route(channel, recipient, facts)
    return { route, per_page: price?.per_page, price_rule_id: price?.price_rule_id ?? null, promotional }
  }
}
