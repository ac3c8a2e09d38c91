import type { CarriersAnswer } from '../../api-types.ts'
import { percent, t } from '../../text/text.ts'

type Choosing = Pick<CarriersAnswer['routes'][number], 'carrier' | 'carriers' | 'choose' | 'shares' | 'evidence'>

/** The carriers of a route: in the order in which they are tried, unless one of them is chosen for each message. */
export function carrierList(route: Choosing): string {
  const carriers = carriersOf(route)
  if (route.choose !== 'order') return carriers.join(', ')
  return carriers.reduce((first, next) => t('{first}, then {next}', { first, next }))
}

/** How one of them is chosen; undefined: in their order. */
export function choiceWords(route: Choosing): string | undefined {
  switch (route.choose) {
    case 'order':
      return undefined
    case 'shares':
      return t('chosen by shares: {shares}', { shares: sharesOf(route) })
    case 'cheapest':
      return t('the least expensive one is chosen')
    case 'evidence':
      return byEvidence(route.evidence.follow_percent)
  }
}

function byEvidence(follow_percent: number): string {
  if (follow_percent === 0) return t('chosen by evidence: advice only, which is not followed')
  if (follow_percent === 100) return t('chosen by evidence')
  return t('chosen by evidence for {share} of the messages', { share: percent(follow_percent / 100) })
}

/** Weights as shares of the whole. */
function sharesOf(route: Choosing): string {
  const weights = carriersOf(route).map((carrier) => ({ carrier, weight: route.shares?.[carrier] ?? 0 }))
  const all = weights.reduce((sum, { weight }) => sum + weight, 0)
  return weights
    .map(({ carrier, weight }) => `${carrier} ${percent(all > 0 ? weight / all : 0, { maximumFractionDigits: 0 })}`)
    .join(', ')
}

function carriersOf({ carrier, carriers }: Choosing): readonly string[] {
  return carriers ?? [carrier ?? '']
}
