import { Default, Errors } from 'typebox/value'
import { VendorSettings } from '../airtime/settings.ts'
import { Settings } from './settings.ts'

/**
 * What does not fit the shape of the configuration file, each with its place. The vendors are of several kinds, and
 * each is held to the shape of its own: held to all of them it would be told what the others lack.
 */
export function shapeFaults(settings: unknown): string[] {
  const { airtime } = (settings ?? {}) as { airtime?: { vendors?: unknown } | null }
  const vendors: unknown = airtime?.vendors
  if (!Array.isArray(vendors)) return describe(Errors(Settings, settings))
  const faults = vendors.flatMap(vendorFaults)
  if (faults.length === 0) return describe(Errors(Settings, settings))
  const sound = { ...airtime, vendors: [{ kind: 'simulator', name: 'sound' }] }
  return [...faults, ...describe(Errors(Settings, { ...(settings as Settings), airtime: sound }))]
}

function vendorFaults(entry: { kind?: unknown } | null, n: number): string[] {
  const shape = VendorSettings.anyOf.find(({ properties }) => properties.kind.const === entry?.kind)
  if (shape) return describe(Errors(shape, Default(shape, structuredClone(entry))), `/airtime/vendors/${n}`)
  const kinds = VendorSettings.anyOf.map(({ properties }) => properties.kind.const)
  return [`airtime.vendors.${n}.kind: must be one of ${kinds.join(', ')}`]
}

function describe(found: ReturnType<typeof Errors>, root = ''): string[] {
  return found
    .filter(({ keyword }) => keyword !== 'boolean')
    .map(({ instancePath, message, params, keyword }) => {
      const place = (root + instancePath).slice(1).replaceAll('/', '.') || 'file'
      const extra = (params as { additionalProperties?: string[] }).additionalProperties
      if (keyword === 'additionalProperties' && extra) return `${place}: unknown key ${extra.join(', ')}`
      return `${place}: ${message}`
    })
}
