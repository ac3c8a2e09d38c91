import { listOperatorPauses } from '../messaging/pauses/store.ts'
import type { Plan } from '../messaging/compose/plan.ts'
import { withCodes } from '../messaging/compose/estimate.ts'
import { carriersOf, type RouteClass } from '../messaging/settings.ts'
import { presentOperator } from '../numbers/conclude.ts'
import type { Viewer } from '../users/viewer.ts'
import { carriersNow } from './carriers.ts'
import type { ExplainDeps } from './explain.ts'
import { explainPrices, type Charged } from './price.ts'
import { channelOf, explainRoute, isRefusing } from './route.ts'
import { MAX_EXPLAINED_ESTIMATES, type ExplainedEstimate } from './schema.ts'
import { estimateSentences } from './sentences/sentences.ts'
import { explainText } from './text.ts'

/** Explains the first recipients of a message that is only estimated. */
export async function explainPlan(
  { db, numbers, installation }: Omit<ExplainDeps, 'pageForm' | 'readHolds'>,
  plan: Plan,
  viewer: Viewer,
): Promise<ExplainedEstimate[]> {
  const { routes, prices: file_prices } = installation
  const { originOf } = numbers.table
  const own = plan.priced.slice(0, MAX_EXPLAINED_ESTIMATES)
  const [known, pauses] = await Promise.all([
    numbers.find(own.map(({ recipient }) => recipient)),
    listOperatorPauses(db),
  ])
  const charged = own.map(({ recipient, charge, pages, price_rule_id, route, promotional }): Charged => {
    const { operator } = presentOperator(originOf(recipient), known.get(recipient))
    const route_class: RouteClass = promotional ? 'promotional' : 'transactional'
    return {
      number: recipient,
      channel: channelOf(routes, route) ?? plan.channel,
      charge,
      pages,
      price_rule_id: price_rule_id === null ? null : String(price_rule_id),
      route_class,
      operator: operator === '' ? undefined : operator,
      is_refused: isRefusing(route),
    }
  })
  const prices = await explainPrices({ db, originOf, file_prices }, charged, { at: null, viewer })
  return own.map(({ recipient, route: name, pages, page_form }, n): ExplainedEstimate => {
    const written = plan.texts.of(n)
    const route = routes.find((one) => one.name === name)
    const explained = {
      recipient,
      text: explainText({ text: withCodes(written.pieces, written, plan), pages, page_form, is_binary: false }),
      price: prices[n]!,
      route: explainRoute(routes, name, { number: recipient, originOf }),
      carriers: route ? carriersNow(carriersOf(route), route, pauses, viewer) : [],
    }
    return { ...explained, sentences: estimateSentences(explained) }
  })
}
