import { shortText } from '../vendor-values.ts'

const TIER = /^TIER_(\d{1,6})(K?)$/i

/** A messaging limit as Meta writes it: `TIER_2K`, 2000, -1. Null: unlimited; undefined: it is not one. */
export function readLimit(given: unknown): number | null | undefined {
  const text = shortText(given)
  if (text === undefined) return undefined
  if (text === '-1' || text.toUpperCase() === 'TIER_UNLIMITED') return null
  const [, digits, thousands] = TIER.exec(text) ?? []
  const people = digits === undefined ? Number(text) : Number(digits) * (thousands ? 1_000 : 1)
  return Number.isInteger(people) && people > 0 && people <= MOST ? people : undefined
}

/** More than any that Meta has. */
const MOST = 1_000_000_000
