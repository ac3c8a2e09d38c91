import { makeBoundedCache } from '../values/concurrency/bounded-cache.ts'
import type { PrefixTable } from './prefix-table.ts'

/** Maps an operator's name in a registry, report or provider answer to our spelling. */
export type SpellOperator = (given: string, country: string) => string

/** Other names of Nigeria's networks, and their codes (MCC and MNC). */
const NIGERIA: [RegExp, string][] = [
  [/^(mtn|visafone|62130$)/, 'MTN'],
  [/^(airtel|zain|celtel|62120$)/, 'Airtel'],
  [/^(glo|globacom|62150$)/, 'Glo'],
  [/^(9mobile|etisalat|emts|t2\b|62160$)/, '9mobile'],
  [/^(n-?tel|62140$)/, 'NTEL'],
]

const COMPANY = /\b(ltd|limited|plc|inc|llc|s\.?a\.?|gmbh|communications|telecommunications)\b\.?/gi
const MAX_LENGTH = 60
/** Bounds the memory for a file with arbitrary names. */
const MAX_CACHED = 10_000

/**
 * Two names of one operator must be equal, or all its numbers would seem ported. So case, company forms and the country's
 * name are ignored if that leads to a name of the prefix table.
 */
export function makeSpellOperator({ operators }: Pick<PrefixTable, 'operators'>): SpellOperator {
  const spellings = new Map<string, string>()
  for (const [country, names] of operators) {
    for (const name of names) spellings.set(`${country} ${name.toLowerCase()}`, name)
  }
  const known = makeBoundedCache<string, string>(MAX_CACHED)

  function spell(given: string, country: string): string {
    const name = tidy(given)
    const plain = name.toLowerCase()
    const nigerian = country === 'NG' ? NIGERIA.find(([pattern]) => pattern.test(plain)) : undefined
    if (nigerian) return nigerian[1]
    const without = tidy(plain.replace(COMPANY, '').replace(countryName(country).toLowerCase(), ''))
    return spellings.get(`${country} ${plain}`) ?? spellings.get(`${country} ${without}`) ?? name
  }

  return (given, country) => {
    const key = `${country} ${given}`
    let name = known.get(key)
    if (name === undefined) {
      name = spell(given, country)
      known.set(key, name)
    }
    return name
  }
}

/** Removes control characters and repeated blanks, and bounds the length: the text is not ours. */
function tidy(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ')
    .slice(0, MAX_LENGTH)
    .trim()
}

const NAMES = new Intl.DisplayNames(['en'], { type: 'region' })

/** The English name of a country by its ISO code: `Nigeria`. Empty when there is none. */
export function countryName(country: string): string {
  return country === '' ? '' : (NAMES.of(country) ?? '')
}
