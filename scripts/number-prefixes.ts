import { readFileSync, writeFileSync } from 'node:fs'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import metadata from 'libphonenumber-js/min/metadata'
import { isRecord } from '../src/values/record.ts'

/**
 * Builds `assets/number-prefixes.txt`, the table behind `src/numbers/prefix-table.ts`:
 *
 *     tsx scripts/number-prefixes.ts CARRIERS.tsv 2026-11-15
 *
 * The first argument is a list of `prefix<tab>carrier` as published by libphonenumber, the second its date. The country
 * of a number with a shared calling code (+1, +7, +44 …) is looked up in libphonenumber, number by number, and stored
 * as prefixes too.
 */
const FILE = new URL('../assets/number-prefixes.txt', import.meta.url)
const LINE_LENGTH = 120

/** Nigeria's networks are spelled as in the airtime list, and brands that no longer exist are removed. */
const NIGERIA: Record<string, string> = { Ntel: 'NTEL', Multilinks: '', Starcomms: '', Prestel: '' }

/** National digits that are always expanded, because smaller countries are nested in the ranges of the larger one. */
const DEPTH: Record<string, number> = { '1': 3, '7': 3 }
const USUAL_DEPTH = 4
const DEEPEST = 7
const SAMPLES = 16
/** The column of libphonenumber's metadata that lists how many digits a country's numbers may have. */
const POSSIBLE_LENGTHS = 3

const [input, day] = process.argv.slice(2)
if (input === undefined || day === undefined) throw new Error('Name the list to read, and its date.')

const calling_codes: Record<string, readonly string[]> = metadata.country_calling_codes
const columns_of: Record<string, readonly unknown[]> = metadata.countries
const beyond_countries: object =
  'nonGeographic' in metadata && isRecord(metadata.nonGeographic) ? metadata.nonGeographic : {}
const lines = [...countryLines(), ...operatorLines(readFileSync(input, 'utf8'))]
writeFileSync(FILE, `${head(day)}${lines.join('\n')}\n`)
process.stdout.write(`${lines.length} lines\n`)

function head(date: string): string {
  return [
    '# Which country and which operator a number was first given to, by its leading digits; the longest match wins.',
    "# Built by scripts/number-prefixes.ts from libphonenumber's metadata and carrier resources (Apache-2.0).",
    '# A line is a country (@ISO code) or an operator, the calling code, and what follows it: prefixes, or ranges of them.',
    `# date ${date}`,
    '',
  ].join('\n')
}

function countryLines(): string[] {
  return Object.entries(calling_codes).flatMap(([code, countries]) => {
    const [main, ...others] = countries.filter((country) => /^[A-Z]{2}$/.test(country))
    if (main === undefined) return [] // Satellite, freephone and similar numbers belong to no country.
    if (others.length === 0) return [`@${main}\t${code}\t`]
    const found = split(code, '', DEPTH[code] ?? USUAL_DEPTH)
    return [
      `@${main}\t${code}\t`,
      ...others.flatMap((country) => line(`@${country}`, code, prefixesOf(found, country))),
    ]
      .concat(
        line(
          `@${main}`,
          code,
          prefixesOf(found, main).filter((prefix) => prefix !== '' && isInside(prefix, found, main)),
        ),
      )
      .flat()
  })
}

type Found = { prefix: string; country: string }

/** The prefixes that divide a shared calling code among its countries; ranges without a country are omitted. */
function split(code: string, prefix: string, depth: number): Found[] {
  if (prefix.length >= depth) {
    const countries = new Set(samples(code, prefix))
    const [only] = countries
    if (countries.size <= 1 || prefix.length >= DEEPEST) return only === undefined ? [] : [{ prefix, country: only }]
  }
  const parts = Array.from({ length: 10 }, (_, digit) => split(code, `${prefix}${digit}`, depth)).flat()
  const countries = new Set(parts.map(({ country }) => country))
  const [only] = countries
  return countries.size === 1 && only !== undefined ? [{ prefix, country: only }] : parts
}

function possibleLengths(country: string): number[] {
  const lengths = columns_of[country]?.[POSSIBLE_LENGTHS]
  return Array.isArray(lengths) ? lengths.filter((length) => typeof length === 'number') : []
}

function samples(code: string, prefix: string): string[] {
  const lengths = new Set(calling_codes[code]?.flatMap(possibleLengths))
  const found: string[] = []
  for (const length of lengths) {
    if (length <= prefix.length) continue
    const capacity = 10 ** (length - prefix.length)
    for (let n = 0; n < SAMPLES; n += 1) {
      // Multiples of the golden ratio are evenly distributed between 0 and 1, and the same in every run.
      const rest = Math.floor(((n * 0.618_033_988_75 + 0.239) % 1) * capacity)
      const country = parsePhoneNumberFromString(
        `+${code}${prefix}${String(rest).padStart(length - prefix.length, '0')}`,
      )?.country
      if (country !== undefined) found.push(country)
    }
  }
  return found
}

function prefixesOf(found: readonly Found[], wanted: string): string[] {
  return found.filter(({ country }) => country === wanted).map(({ prefix }) => prefix)
}

/** The main country is repeated only if its numbers are inside another's prefix. */
function isInside(prefix: string, found: readonly Found[], main: string): boolean {
  return found.some((one) => one.country !== main && prefix.startsWith(one.prefix))
}

function operatorLines(text: string): string[] {
  const prefixes = new Map<string, string[]>()
  for (const row of text.trim().split('\n').slice(1)) {
    const [prefix = '', name = ''] = row.split('\t')
    const code = [3, 2, 1]
      .map((length) => prefix.slice(0, length))
      .find((digits) => digits in calling_codes || digits in beyond_countries)
    if (code === undefined) throw new Error(`No calling code begins ${prefix}`)
    const operator = code === '234' ? (NIGERIA[name] ?? name) : name.trim()
    if (operator === '') continue
    const key = `${code}\t${operator}`
    prefixes.set(key, [...(prefixes.get(key) ?? []), prefix.slice(code.length)])
  }
  return [...prefixes].flatMap(([key, own]) => {
    const [code = '', operator = ''] = key.split('\t')
    return line(operator, code, own)
  })
}

/** One line of the table, or several if one would be too long. */
function line(name: string, code: string, prefixes: readonly string[]): string[] {
  const made: string[] = []
  let open = ''
  for (const range of ranges(prefixes)) {
    if (open !== '' && open.length + range.length > LINE_LENGTH) {
      made.push(open)
      open = ''
    }
    open += open === '' ? `${name}\t${code}\t${range}` : ` ${range}`
  }
  return open === '' ? made : [...made, open]
}

/** `703 704 705` is `703-705`. */
function ranges(prefixes: readonly string[]): string[] {
  const sorted = [...prefixes].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  const runs: { first: string; last: string }[] = []
  for (const prefix of sorted) {
    const run = runs.at(-1)
    if (run && run.last.length === prefix.length && Number(prefix) === Number(run.last) + 1) run.last = prefix
    else runs.push({ first: prefix, last: prefix })
  }
  return runs.map(({ first, last }) => (first === last ? first : `${first}-${last}`))
}
