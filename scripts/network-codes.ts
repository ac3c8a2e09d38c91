import { readFileSync, writeFileSync } from 'node:fs'
import { NETWORKS_FILE, readNetworks } from '../src/numbers/network-codes.ts'
import { readPrefixTable } from '../src/numbers/prefix-table.ts'

/**
 * Compares `assets/network-codes.txt`, the table behind `src/numbers/network-codes.ts`, with a list of networks:
 *
 *     tsx scripts/network-codes.ts serviceproviders.xml [2026-08-04]
 *
 * The first argument is the file of that name in mobile-broadband-provider-info of GNOME, the second its date, which is written
 * into the head of the table. The table is edited by hand: the list also names resellers, and networks by former names.
 */
const [input, date] = process.argv.slice(2)
if (input === undefined) throw new Error('Name the list to read.')

const { operators } = readPrefixTable()
const text = readFileSync(NETWORKS_FILE, 'utf8')
const { country_of, operator_of } = readNetworks(text)
const listed = readList(readFileSync(input, 'utf8'))

for (const { mcc, mnc, country, names } of listed) {
  const own = operator_of.get(`${mcc} ${mnc}`)
  const spelled = operatorsNamed(names, country_of.get(mcc) ?? country)
  if (!country_of.has(mcc)) print(`${mcc} is missing: ${country}`)
  else if (own !== undefined && spelled.length > 0 && !spelled.includes(own)) {
    print(`${mcc}-${mnc} is ${own} in the table, ${spelled.join(' or ')} in the list`)
  } else if (own === undefined && spelled.length === 1) print(`${mcc}-${mnc} is missing: perhaps ${spelled[0]}`)
}
if (date !== undefined) writeFileSync(NETWORKS_FILE, text.replace(/^# date .*$/m, `# date ${date}`))

type Listed = { mcc: string; mnc: number; country: string; names: string[] }

/** The networks of the list, each with the names of all who sell it. */
function readList(xml: string): Listed[] {
  const found = new Map<string, Listed>()
  for (const [, country = '', of_country = ''] of xml.matchAll(/<country code="(\w\w)">(.*?)<\/country>/gs)) {
    for (const [, provider = ''] of of_country.matchAll(/<provider\b[^>]*>(.*?)<\/provider>/gs)) {
      const name = /<name>([^<]*)<\/name>/.exec(provider)?.[1] ?? ''
      for (const [, mcc = '', code = ''] of provider.matchAll(/<network-id mcc="(\d+)" mnc="(\d+)"/g)) {
        const mnc = Number(code)
        const network = found.get(`${mcc} ${mnc}`) ?? { mcc, mnc, country: country.toUpperCase(), names: [] }
        found.set(`${mcc} ${mnc}`, { ...network, names: [...network.names, name] })
      }
    }
  }
  return [...found.values()].sort((a, b) => Number(a.mcc) - Number(b.mcc) || a.mnc - b.mnc)
}

/** The operators of a country in the spelling of the prefix table. */
function operatorsNamed(names: readonly string[], country: string): string[] {
  const wanted = new Set(names.map(plain))
  return [...(operators.get(country) ?? [])].filter((operator) => wanted.has(plain(operator)))
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
