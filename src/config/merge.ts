import type { BaseEntry, Entry } from '../live-config/entries.ts'
import { ENTRY_KINDS, type EntryKind } from '../live-config/schema.ts'
import { isRecord } from '../values/record.ts'
import { withDefaults } from '../values/schema/check.ts'
import { Settings } from './settings.ts'

/**
 * The settings file with the entries of operators behind its own. An entry of the file applies instead of one with the same
 * name. What is there without a file gives way to one with the same name, and to the first real carrier.
 */
export function mergeEntries(
  file: unknown,
  entries: readonly Entry[],
): { file: unknown; named: (fault: string) => string } {
  if (entries.length === 0 || !areLists(file)) return { file, named: (fault) => fault }
  const base = baseEntries(file, entries)
  const all = ENTRY_KINDS.map((kind) => {
    const own = base.filter((one) => one.kind === kind)
    const others = entries.filter((one) => one.kind === kind && !own.some(({ name }) => name === one.name))
    return { key: `${kind}s`, own, others }
  })
  const merged = all.map(({ key, own, others }) => [key, [...own, ...others].map(({ settings }) => settings)])
  return {
    file: { ...(isRecord(file) ? file : {}), ...Object.fromEntries(merged) },
    named: (fault) => all.reduce((text, { key, own, others }) => namePlace(text, key, own.length, others), fault),
  }
}

/** The entries of the file, or those that are there without one. */
export function baseEntries(file: unknown, entries: readonly Entry[]): BaseEntry[] {
  const given = isRecord(file) ? file : {}
  const has_own = given.carriers !== undefined || given.routes !== undefined
  const is_live = !has_own && namesReal(given, entries)
  return ENTRY_KINDS.flatMap((kind): BaseEntry[] => {
    const own = given[`${kind}s`]
    if (own !== undefined) return entriesIn(kind, own, 'file')
    if (is_live) return []
    const built_in = withDefaults(Settings.properties[`${kind}s`], undefined)
    return entriesIn(kind, built_in, 'default').filter(
      ({ name }) => !entries.some((one) => one.kind === kind && one.name === name),
    )
  })
}

/** Whether a carrier or an airtime vendor is not the simulator. */
function namesReal(file: Record<string, unknown>, entries: readonly Entry[]): boolean {
  const airtime = isRecord(file.airtime) ? file.airtime : {}
  const vendors: unknown[] = Array.isArray(airtime.vendors) ? airtime.vendors : []
  const carriers = entries.filter(({ kind }) => kind === 'carrier').map(({ settings }) => settings)
  return [...vendors, ...carriers].some((one) => isRecord(one) && one.kind !== 'simulator')
}

function entriesIn(kind: EntryKind, list: unknown, managed_by: BaseEntry['managed_by']): BaseEntry[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((settings: unknown) =>
    isRecord(settings) ? [{ kind, name: String(settings.name), settings, managed_by }] : [],
  )
}

/** Faults of a file without lists are reported as they are. */
function areLists(file: unknown): boolean {
  if (!isRecord(file)) return file === undefined || file === null
  return ENTRY_KINDS.every((kind) => {
    const list = file[`${kind}s`]
    return list === undefined || (Array.isArray(list) && list.every(isRecord))
  })
}

/** Names the entry of an operator in place of its number, which only the merged list has. */
function namePlace(fault: string, key: string, before: number, others: readonly Entry[]): string {
  return fault.replace(/^([a-z]+)\.(\d+)(?=[.:])/, (place, list: string, number: string) => {
    const entry = list === key ? others[Number(number) - before] : undefined
    return entry ? `${key}.${entry.name}` : place
  })
}
