import type { Db } from '../db/connect.ts'
import type { Tariff } from '../messaging/compose/tariff.ts'
import { whyItWaits, type Waits } from '../messaging/operate/show.ts'
import { listWaiting } from '../messaging/operate/store.ts'
import { summarise } from '../messaging/read/search-store.ts'
import type { Hold } from '../messaging/read/schema.ts'
import { carriersOf, type PriceSettings, type RouteClass, type RouteSettings } from '../messaging/settings.ts'
import { presentOperator } from '../numbers/conclude.ts'
import type { NumberKnowledge } from '../numbers/knowledge.ts'
import { forOperators, type Viewer } from '../users/viewer.ts'
import { isId } from '../values/id.ts'
import { paginate, readPage, type Pagination } from '../values/page.ts'
import { present } from '../values/record.ts'
import { Refusal } from '../values/refusal.ts'
import { ERASED } from '../values/secrets/pseudonym.ts'
import { explainAttempts, explainCarriers, explainWait } from './carriers.ts'
import { explainChoice } from './choice.ts'
import { explainCost } from './cost.ts'
import { explainFees } from './fees.ts'
import { explainPrices, type Charged } from './price.ts'
import { explainRefund } from './refund.ts'
import { channelOf, explainRoute, isRefusing } from './route.ts'
import { MAX_EXPLAINED, type ExplainedDelivery, type ExplainQuery, type Explanation } from './schema.ts'
import { deliverySentences, messageSentences } from './sentences/sentences.ts'
import { findChargedMessage, listCharged, type ChargedDelivery, type ChargedMessage } from './store.ts'
import { explainText } from './text.ts'

export type ExplainDeps = {
  db: Db
  numbers: Pick<NumberKnowledge, 'table' | 'find'>
  /** Routes and file prices as they are configured now. */
  installation: { routes: readonly RouteSettings[]; prices: readonly PriceSettings[] }
  pageForm: Tariff['pageForm']
  readHolds: () => Promise<readonly Hold[]>
}

export type CampaignRef = NonNullable<Explanation['campaign']>

/**
 * Explains deliveries of a message, from what is stored about them and the present configuration: nothing is written for it
 * when a message is accepted. What neither tells is left out, and the sentences say that it is unknown.
 */
export async function explainMessage(
  deps: ExplainDeps,
  organisation_id: string,
  message_id: string,
  { recipient, limit = MAX_EXPLAINED, page = 1 }: ExplainQuery,
  { campaign, ...viewer }: Viewer & { campaign?: CampaignRef | undefined },
): Promise<{ explanation: Explanation; pagination: Pagination }> {
  const message = isId(message_id) ? await findChargedMessage(deps.db, organisation_id, message_id) : undefined
  const [summary] = message ? await summarise(deps.db, organisation_id, [message_id], 0) : []
  if (!message || !summary) throw new Refusal('not_found', 'There is no such message.')
  const wanted = readPage({ limit, page })
  const found = await listCharged(deps.db, organisation_id, message_id, { ...wanted, recipient, limit: limit + 1 })
  if (recipient !== undefined && found.length === 0) {
    throw new Refusal('not_found', 'There is no such recipient of such a message.')
  }
  const total = recipient === undefined ? summary.recipients_total : 1
  const { pagination } = paginate(
    wanted,
    found.map(() => ({ id: message_id })),
    total,
  )
  const facts = { organisation_id, message, is_single: summary.recipients_total === 1, viewer }
  const deliveries = await explainDeliveries(deps, facts, found.slice(0, limit))
  const { id, channel, created_datetime, is_otp } = message
  const fees = present('fees', explainFees(message))
  const head = { id, channel, created_datetime, is_otp, ...fees, ...present('campaign', campaign) }
  return { explanation: { ...head, sentences: messageSentences(head), deliveries }, pagination }
}

type Facts = { organisation_id: string; message: ChargedMessage; is_single: boolean; viewer: Viewer }

async function explainDeliveries(
  deps: ExplainDeps,
  { organisation_id, message, is_single, viewer }: Facts,
  deliveries: readonly ChargedDelivery[],
): Promise<ExplainedDelivery[]> {
  const { numbers, installation } = deps
  const { routes, prices: file_prices } = installation
  const { originOf } = numbers.table
  const known_numbers = deliveries.flatMap(({ recipient }) => numberOf(recipient) ?? [])
  const queued = deliveries.filter(({ status }) => status === 'queued').map(({ recipient }) => recipient)
  const [known, waiting, holds] = await Promise.all([
    deliveries.some(({ price_rule_id }) => price_rule_id === null) ? numbers.find(known_numbers) : undefined,
    queued.length > 0 ? listWaiting(deps.db, organisation_id, message.id, queued) : [],
    queued.length > 0 ? deps.readHolds() : [],
  ])
  const charged = deliveries.map(({ recipient, charge, pages, price_rule_id, promotional, route }): Charged => {
    // A price of the file is compared with the lines of today, so the operator of today decides.
    const number = numberOf(recipient)
    const is_read = price_rule_id === null && number !== undefined
    const operator = is_read ? presentOperator(originOf(number), known?.get(number)).operator : ''
    return {
      number,
      channel: channelOf(routes, route) ?? message.channel,
      charge,
      pages,
      price_rule_id,
      route_class: classOf(promotional, route, routes),
      operator: operator === '' ? undefined : operator,
      is_refused: isRefusing(route),
    }
  })
  const prices = await explainPrices({ db: deps.db, originOf, file_prices }, charged, {
    at: message.created_datetime,
    viewer,
  })
  return deliveries.map((delivery, n): ExplainedDelivery => {
    const { recipient, status, send_at } = delivery
    const route = routes.find(({ name }) => name === delivery.route)
    const carriers = route ? carriersOf(route) : []
    const job = waiting.find((one) => one.recipient === recipient)
    const waits: Waits | undefined = status === 'queued' ? whyItWaits(job, holds) : undefined
    const explained = {
      recipient,
      status,
      ...present('send_at', send_at),
      text: explainText({
        text: delivery.text,
        pages: delivery.pages,
        page_form: deps.pageForm(charged[n]!.channel, delivery.route),
        is_binary: message.encoding === 'binary',
        encoding: is_single && message.encoding !== 'binary' ? message.encoding : undefined,
      }),
      price: prices[n]!,
      route: explainRoute(routes, delivery.route, { number: numberOf(recipient), originOf }),
      carriers: explainCarriers(carriers, delivery, job?.queue, viewer),
      ...present('choice', explainChoice(carriers, delivery.routing, viewer)),
      attempts: explainAttempts(carriers, delivery, viewer),
      ...present('waits', waits && explainWait(waits, viewer)),
      refund: explainRefund(delivery),
      ...forOperators(viewer, present('cost', explainCost(delivery))),
    }
    return { ...explained, sentences: deliverySentences(explained) }
  })
}

/** Undefined: the person was erased, and only a pseudonym is stored. */
function numberOf(recipient: string): string | undefined {
  return recipient.startsWith(ERASED) ? undefined : recipient
}

/** The class is stored while a delivery waits; otherwise it is known where the route is only for one. */
function classOf(promotional: boolean | null, name: string, routes: readonly RouteSettings[]): RouteClass | undefined {
  if (promotional === true) return 'promotional'
  return routes.find((route) => route.name === name)?.class === 'promotional' ? 'promotional' : undefined
}
