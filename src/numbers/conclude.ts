import type { Known } from './known-store.ts'
import type { Origin } from './prefix-table.ts'

/** Where the operator was learnt: the best source that knows it. */
export type Source = 'provider' | 'cache' | 'carrier' | 'registry' | 'prefix' | 'none'

export type Present = { operator: string; source: Source; age_s?: number | undefined }

/** What the lookup provider says; it need not know everything. */
export type ProviderAnswer = {
  operator?: string | undefined
  ported?: boolean | undefined
  dnd?: boolean | undefined
}

/** A number's present operator by the best source: fresh provider answer, carriers, registry of ported numbers, prefix. */
export function presentOperator(origin: Origin, known: Known | undefined): Present {
  if (known?.provider_operator) {
    return { operator: known.provider_operator, source: 'cache', age_s: known.provider_age_s ?? 0 }
  }
  if (known?.carrier_operator) {
    return { operator: known.carrier_operator, source: 'carrier', age_s: known.carrier_age_s ?? 0 }
  }
  if (known?.registry_operator) {
    return { operator: known.registry_operator, source: 'registry', age_s: known.registry_age_s ?? 0 }
  }
  return { operator: origin.operator, source: origin.operator === '' ? 'none' : 'prefix' }
}

/** Whoever says that a number must not be disturbed is believed: a wrong silence costs less than a wrong message. */
export function isDnd(known: Known | undefined): boolean {
  return known !== undefined && (known.registry_dnd || known.carrier_dnd || known.provider_dnd === true)
}

/**
 * The registry lists numbers because they were ported, so an unknown first operator does not make it doubt. Of other
 * sources two known operators are compared, unless the provider says itself.
 */
export function isPorted(origin: Origin, known: Known | undefined, present: Present): boolean {
  if (present.source === 'cache' && known && known.provider_ported !== null) return known.provider_ported
  if (present.source === 'registry') return present.operator !== origin.operator
  if (known?.provider_ported === true) return true
  return origin.operator !== '' && present.operator !== '' && present.operator !== origin.operator
}
