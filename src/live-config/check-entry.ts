import { checkStorableIn } from '../values/input/storable.ts'
import type { Fault } from '../values/refusal.ts'
import type { Entry } from './entries.ts'
import { ENTRY_NAME, MAX_ENTRY_BYTES, type EntryKind, type EntrySettings } from './schema.ts'

/** What keeps an entry from being stored; whether it fits the configuration is another check. */
export function checkEntry({ kind, name, settings }: Entry, faults: Fault[]): void {
  checkStorableIn(placeOf(kind, name), settings, (field, message) => faults.push({ field, message, type: 'invalid' }))
  if (Buffer.byteLength(JSON.stringify(settings)) > MAX_ENTRY_BYTES) {
    const message = `At most ${MAX_ENTRY_BYTES.toLocaleString('en')} bytes of JSON.`
    faults.push({ field: placeOf(kind, name), message, type: 'string_too_long' })
  }
}

/** The path of a field of the configuration, with the name of the entry in place of its number. */
export function placeOf(kind: EntryKind, name: string, field?: string): string {
  return [`${kind}s`, name, ...(field === undefined ? [] : [field])].join('.')
}

/** The name of an entry; without a valid one, the given word. */
export function nameIn(settings: EntrySettings, otherwise: string): string {
  return typeof settings.name === 'string' && ENTRY_NAME.test(settings.name) ? settings.name : otherwise
}

/** Whether these settings of a route name the carrier. */
export function namesCarrier({ carrier, carriers }: EntrySettings, name: string): boolean {
  return carrier === name || (Array.isArray(carriers) && carriers.includes(name))
}
