import { readFileSync } from 'node:fs'
import { packageFile } from '../package-files.ts'

const FILE = packageFile('assets/country-zones.txt')

/** The time zones of a country by its ISO code, the capital's first; UTC for an unknown country. */
export function zonesOf(country: string): readonly string[] {
  table ??= readZones(readFileSync(FILE, 'utf8'))
  return table.get(country) ?? UNKNOWN
}

const UNKNOWN = ['UTC']

// Module state, because the file never changes while the process runs.
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
