import type { PrefixTable } from './prefix-table.ts'

/** An operator as we spell it, from whatever a registry, a carrier or a provider calls it. */
export type SpellOperator = (given: string, country: string) => string

/** What Nigeria's networks are called elsewhere; the codes are those of the networks themselves (MCC and MNC). */
const NIGERIA: [RegExp, string][] = [
  [/^(mtn|visafone|62130$)/, 'MTN'],
  [/^(airtel|zain|celtel|62120$)/, 'Airtel'],
  [/^(glo|globacom|62150$)/, 'Glo'],
  [/^(9mobile|etisalat|emts|t2\b|62160$)/, '9mobile'],
  [/^(n-?tel|62140$)/, 'NTEL'],
]

const COMPANY = /\b(ltd|limited|plc|inc|llc|s\.?a\.?|gmbh|communications|telecommunications)\b\.?/gi
const MAX_LENGTH = 60
/** Distinct names remembered; a file full of nonsense must not fill the memory. */
const REMEMBERED = 10_000

/**
 * Two names of one operator must compare as equal, or every number of it would seem ported. So case, company forms and
 * the country's name are set aside where that leads to a name of the prefix table.
 */
export function makeSpellOperator({ operators }: Pick<PrefixTable, 'operators'>): SpellOperator {
  const spellings = new Map<string, string>()
  for (const [country, names] of operators) {
    for (const name of names) spellings.set(`${country} ${name.toLowerCase()}`, name)
  }
  const remembered = new Map<string, string>()

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
    let name = remembered.get(key)
    if (name === undefined) {
      name = spell(given, country)
      if (remembered.size < REMEMBERED) remembered.set(key, name)
    }
    return name
  }
}

/** Controls gone, blanks single; too long a name is cut, since it is somebody else's text. */
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
