import { readFileSync } from 'node:fs'

const FILE = new URL('../../../assets/country-zones.txt', import.meta.url)

/** The time zones of a country by its ISO code, the capital's first. UTC for one we do not know. */
export function zonesOf(country: string): readonly string[] {
  table ??= readZones(readFileSync(FILE, 'utf8'))
  return table.get(country) ?? UNKNOWN
}

const UNKNOWN = ['UTC']

// A file that never changes while the process lives, so unlike elsewhere the module keeps what it read.
let table: Map<string, readonly string[]> | undefined

function readZones(text: string): Map<string, readonly string[]> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const [country = '', ...zones] = line.split(' ')
      return [country, zones]
    }),
  )
}
