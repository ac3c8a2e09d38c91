import metadata from 'libphonenumber-js/min/metadata'
import { writeFileSync } from 'node:fs'

/** Writes `assets/country-zones.txt` from Node's time zone data. */
const FILE = new URL('../assets/country-zones.txt', import.meta.url)

/** Countries in which the capital's zone is not the most populous one, or not the first of the alphabet. */
const FIRST: Record<string, string> = {
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  CD: 'Africa/Kinshasa',
  CL: 'America/Santiago',
  CN: 'Asia/Shanghai',
  CY: 'Asia/Nicosia',
  EC: 'America/Guayaquil',
  ES: 'Europe/Madrid',
  FM: 'Pacific/Ponape',
  GL: 'America/Godthab',
  ID: 'Asia/Jakarta',
  KI: 'Pacific/Tarawa',
  KZ: 'Asia/Almaty',
  MN: 'Asia/Ulaanbaatar',
  MX: 'America/Mexico_City',
  NZ: 'Pacific/Auckland',
  PF: 'Pacific/Tahiti',
  PG: 'Pacific/Port_Moresby',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  UA: 'Europe/Kiev',
  US: 'America/New_York',
}

type WithZones = Intl.Locale & { timeZones?: string[]; getTimeZones?: () => string[] }

function zonesOf(country: string): string[] {
  const locale = new Intl.Locale(`und-${country}`) as WithZones
  const zones = [...(locale.getTimeZones?.() ?? locale.timeZones ?? [])].sort()
  const first = FIRST[country]
  const ordered = first && zones.includes(first) ? [first, ...zones.filter((zone) => zone !== first)] : zones
  const seen = new Set<string>()
  return ordered.filter((zone) => {
    const clock = clockOf(zone)
    return !seen.has(clock) && seen.add(clock)
  })
}

/** Zones with the same offset in every month of the year count as one. */
function clockOf(zone: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  const offset = (month: number) =>
    format.formatToParts(Date.UTC(2026, month, 15)).find(({ type }) => type === 'timeZoneName')?.value
  return Array.from({ length: 12 }, (_, month) => offset(month)).join(' ')
}

const lines = Object.keys(metadata.countries)
  .sort()
  .map((country) => [country, ...zonesOf(country)])
  .filter(([, zone]) => zone !== undefined)
const head = [
  '# The time zones of each country, the capital’s first. Zones whose clocks agree all year are named once.',
  '# Made by scripts/country-zones.ts from the CLDR and IANA data that come with Node.',
]
writeFileSync(FILE, `${[...head, ...lines.map((line) => line.join(' '))].join('\n')}\n`)
