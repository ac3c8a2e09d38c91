import type { Schema } from '../values/schema/type.ts'
import { errorsOf, formatErrors, withDefaults } from '../values/schema/check.ts'
import { VendorSettings } from '../airtime/settings.ts'
import { CarrierSettings, Settings, type FileSettings } from './settings.ts'
import { isRecord } from '../values/record.ts'

/**
 * Lists what violates the schema of the configuration file, each with its location. Carriers and vendors are validated
 * against the schema of their own kind, to avoid errors about the fields of other kinds.
 */
export function fitsShape(given: unknown, faults: string[]): given is FileSettings {
  const found = shapeFaults(given)
  faults.push(...found)
  return found.length === 0
}

function shapeFaults(given: unknown): string[] {
  const settings: Record<string, unknown> = isRecord(given) ? { ...given } : {}
  const airtime = isRecord(settings.airtime) ? settings.airtime : {}
  const faults: string[] = []
  const carriers = settings.carriers
  if (Array.isArray(carriers)) {
    faults.push(...carriers.flatMap((entry, n) => kindFaults(CarrierSettings.anyOf, entry, `carriers/${n}`)))
    if (faults.length > 0) settings.carriers = []
  }
  const vendors = airtime.vendors
  if (Array.isArray(vendors)) {
    const own = vendors.flatMap((entry, n) => kindFaults(VendorSettings.anyOf, entry, `airtime/vendors/${n}`))
    if (own.length > 0) settings.airtime = { ...airtime, vendors: [SOUND] }
    faults.push(...own)
  }
  return [...faults, ...formatErrors(errorsOf(Settings, given instanceof Object ? settings : given))]
}

/** Replaces entries that were validated separately. */
const SOUND = { kind: 'simulator', name: 'sound' }

type Kind = Schema & { properties: { kind: { const: string } } }

function kindFaults(kinds: readonly Kind[], entry: { kind?: unknown } | null, place: string): string[] {
  const shape = kinds.find(({ properties }) => properties.kind.const === entry?.kind)
  if (shape) return formatErrors(errorsOf(shape, withDefaults(shape, entry)), `/${place}`)
  const names = kinds.map(({ properties }) => properties.kind.const)
  return [`${place.replaceAll('/', '.')}.kind: must be one of ${names.join(', ')}`]
}
