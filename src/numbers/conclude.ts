import type { Known } from './known-store.ts'
import type { Origin } from './prefix-table.ts'

/** The best source that knows the operator. */
export type Source = 'provider' | 'cache' | 'carrier' | 'registry' | 'prefix' | 'none'

export type Present = { operator: string; source: Source; age_s?: number | undefined }

/** The lookup provider's answer; fields may be missing. */
export type ProviderAnswer = {
  operator?: string | undefined
  ported?: boolean | undefined
  dnd?: boolean | undefined
}

/** A number's current operator by the best source: fresh provider answer, carriers, registry of ported numbers, prefix. */
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

/** True if any source says so: a message wrongly withheld costs less than one wrongly sent. */
export function isDnd(known: Known | undefined): boolean {
  return known !== undefined && (known.registry_dnd || known.carrier_dnd || known.provider_dnd === true)
}

/**
 * The registry lists numbers because they were ported, so it counts even if the original operator is unknown. For other
 * sources the two operators are compared, unless the provider says it explicitly.
 */
export function isPorted(origin: Origin, known: Known | undefined, present: Present): boolean {
  if (present.source === 'cache' && known && known.provider_ported !== null) return known.provider_ported
  if (present.source === 'registry') return present.operator !== origin.operator
  if (known?.provider_ported === true) return true
  return origin.operator !== '' && present.operator !== '' && present.operator !== origin.operator
}
