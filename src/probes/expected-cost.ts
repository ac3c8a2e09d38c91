import { costOf, type Costs } from '../carriers/costs.ts'
import { moneyToNumber } from '../values/money.ts'
import { STANDARD_PAGES } from '../values/sms/page-form.ts'
import { measureText } from '../values/sms/sms-text.ts'
import { numbersOf, type ProbeNetwork } from './network.ts'
import type { Plan } from './plan-store.ts'
import type { ShownPlan } from './schema.ts'
import { fillWording } from './wording.ts'

const DAYS_PER_MONTH = 30

/**
 * What the carrier charges for the probes of a plan, by its cost list: the mean over its numbers and wordings. A carrier
 * that charges only for what is delivered may charge less, and the text of a campaign may have more pages. Undefined: not
 * known.
 */
export function expectedCost(costs: Costs, network: ProbeNetwork, plan: Plan): ShownPlan['expected_cost'] {
  const all = numbersOf(network, plan).flatMap(({ number }) =>
    plan.wordings.map((wording) => {
      const { pages } = measureText(fillWording(wording).text, STANDARD_PAGES)
      return costOf(costs.of(plan.carrier), { recipient: number, channel: 'sms', pages })?.cost
    }),
  )
  const known = all.filter((cost) => cost !== undefined)
  if (known.length === 0 || known.length < all.length) return undefined
  const sum = known.reduce((total, cost) => total + cost, 0n)
  const shown = (probes: number): number => moneyToNumber((sum * BigInt(probes)) / BigInt(known.length))
  return {
    per_probe: shown(1),
    per_day: shown(plan.per_day),
    per_campaign: shown(plan.per_campaign),
    per_month: shown(DAYS_PER_MONTH * plan.per_day),
  }
}
