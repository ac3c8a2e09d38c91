import type { Channel } from '../../carriers/message-carrier.ts'
import type { PageForm } from '../../values/sms/page-form.ts'
import { DND_ROUTE, OPTED_OUT_ROUTE } from '../dispatch/refusing-carrier.ts'
import type { DndSetting, RouteClass } from '../settings.ts'
import type { Audience } from './audience.ts'
import type { Tariff } from './tariff.ts'

/** How a message gets to a recipient, known before its text is: the route decides what pages the text has. */
export type Way = {
  recipient: string
  /** Undefined where none is configured. */
  route: string | undefined
  per_page: bigint | undefined
  page_form: PageForm
  /** A number on a do-not-disturb list may get a promotional message by the rules of transactional ones. */
  promotional: boolean
}

/** Neighbours in a list mostly go the same way at the same price, so what was found for the one is tried for the next. */
export function findWays(
  dnd: DndSetting,
  tariff: Tariff,
  audience: Audience,
  message: { channel: Channel; route_class: RouteClass; recipients: readonly string[] },
): Way[] {
  const { channel } = message
  let last_route: string | undefined
  let page_form = tariff.pageForm(channel, last_route)
  return message.recipients.map((recipient) => {
    const { route, per_page, promotional } = wayTo(recipient)
    if (route !== last_route) page_form = tariff.pageForm(channel, route)
    last_route = route
    return { recipient, route, per_page, page_form, promotional }
  })

  function wayTo(recipient: string): Pick<Way, 'route' | 'per_page' | 'promotional'> {
    const silent = audience.isDnd(recipient)
    const opted_out = audience.isOptedOut(recipient)
    const route_class = silent ? 'transactional' : message.route_class
    const promotional = route_class === 'promotional'
    if (opted_out || (silent && dnd === 'skip'))
      return { route: opted_out ? OPTED_OUT_ROUTE : DND_ROUTE, per_page: 0n, promotional }
    const who = { operator: audience.operatorOf(recipient), route_class }
    const per_page = tariff.price(channel, recipient, who)
    return { route: tariff.route(channel, recipient, who), per_page, promotional }
  }
}
