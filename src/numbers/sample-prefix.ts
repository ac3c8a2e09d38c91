import { readFileSync } from 'node:fs'
import { PREFIX_FILE, readEntries, readPrefixTable } from './prefix-table.ts'

/** A prefix of a country, or of one of its operators; undefined if there is none in the table. */
export function samplePrefix(country: string, operator: string | undefined): string | undefined {
  samples ??= readSamples()
  return samples.get(keyOf(country, operator))
}

// Module state, as an exception: the file never changes while the process runs.
let samples: ReadonlyMap<string, string> | undefined

function readSamples(): ReadonlyMap<string, string> {
  const { originOf } = readPrefixTable()
  const found = new Map<string, string>()
  for (const { prefix } of readEntries(readFileSync(PREFIX_FILE, 'utf8'))) {
    const origin = originOf(prefix)
    for (const key of [keyOf(origin.country, undefined), keyOf(origin.country, origin.operator)]) {
      if (!found.has(key)) found.set(key, prefix)
    }
  }
  return found
}

function keyOf(country: string, operator: string | undefined): string {
  return `${country} ${operator?.toLowerCase() ?? ''}`
}
