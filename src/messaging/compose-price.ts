import type { Channel, OutgoingTemplate } from '../carriers/message-carrier.ts'
import type { PageForm } from '../values/page-form.ts'
import type { Fault } from '../values/refusal.ts'
import type { Audience } from './audience.ts'
import type { Texts } from './compose-texts.ts'
import { DND_ROUTE, OPTED_OUT_ROUTE } from './refused.ts'
import type { DndSetting, RouteClass } from './settings.ts'
import type { Tariff } from './tariff.ts'

/** How a message gets to a recipient, known before its text is: the route decides what pages the text has. */
export type Way = {
  recipient: string
  /** Undefined where none is configured. */
  route: string | undefined
  per_page: bigint | undefined
  page_form: PageForm
}

export type Priced = {
  recipient: string
  charge: bigint
  pages: number
  route: string
  page_form: PageForm
  /** The template it goes out as on WhatsApp. */
  whatsapp?: OutgoingTemplate
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
    const { route, per_page } = wayTo(recipient)
    if (route !== last_route) page_form = tariff.pageForm(channel, route)
    last_route = route
    return { recipient, route, per_page, page_form }
  })

  function wayTo(recipient: string): Pick<Way, 'route' | 'per_page'> {
    const silent = audience.isDnd(recipient)
    const opted_out = audience.isOptedOut(recipient)
    if (opted_out || (silent && dnd === 'skip')) return { route: opted_out ? OPTED_OUT_ROUTE : DND_ROUTE, per_page: 0n }
    const route_class = silent ? 'transactional' : message.route_class
    const who = { operator: audience.operatorOf(recipient), route_class }
    return { route: tariff.route(channel, recipient, who), per_page: tariff.price(channel, recipient, who) }
  }
}

/** What each recipient's text costs, page by page. */
export function priceTexts(channel: Channel, ways: readonly Way[], texts: Texts, faults: Fault[]): Priced[] {
  const priced: Priced[] = []
  let last = { per_page: 0n, pages: 0, charge: 0n }
  for (let n = 0; n < ways.length; n += 1) {
    const { recipient, route, per_page, page_form } = ways[n]!
    if (per_page === undefined || route === undefined) {
      const message = `No ${per_page === undefined ? 'price' : 'route'} is configured for ${recipient} on ${channel}.`
      faults.push({ field: `recipients[${n}]`, message, type: 'invalid' })
      continue
    }
    const { pages } = texts.of(n).size
    if (last.pages !== pages || last.per_page !== per_page) last = { per_page, pages, charge: per_page * BigInt(pages) }
    priced.push({ recipient, charge: last.charge, pages, route, page_form })
  }
  return priced
}
