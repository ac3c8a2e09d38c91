import type { Db } from '../db/connect.ts'
import { Refusal } from '../values/refusal.ts'
import type { SecretSeal } from '../values/secrets/secret-seal.ts'
import { readStored, type BaseEntry, type Configuration, type ModeChange, type StoredEntry } from './entries.ts'
import type { ConfiguredEntry, EntryKind } from './schema.ts'
import { takeSecrets } from './secrets.ts'

export type LiveConfigDeps = { db: Db; secret_seal: SecretSeal; configuration: Configuration }

/** All carriers and routes in the order of the configuration: those of the file, then those of operators. */
export async function listEntries(deps: LiveConfigDeps): Promise<ConfiguredEntry[]> {
  return (await readConfigured(deps)).entries
}

/** The same, and whether they are in effect only after a restart of the service, which it may make itself. */
export async function readConfigured({
  db,
  secret_seal,
  configuration,
}: LiveConfigDeps): Promise<{ entries: ConfiguredEntry[] } & ModeChange> {
  const stored = await readStored(db, secret_seal)
  const base = configuration.base(stored)
  const entries = [...base.map(shownBase), ...stored.map((entry) => shownStored(entry, base))]
  const { needs_restart, ends_sandbox } = configuration.check(stored)
  return { entries, needs_restart, ends_sandbox }
}

export async function readEntry(deps: LiveConfigDeps, kind: EntryKind, name: string): Promise<ConfiguredEntry> {
  const found = (await listEntries(deps)).filter((one) => one.kind === kind && one.name === name)
  const entry = found.find(({ managed_by }) => managed_by === 'operator') ?? found[0]
  if (!entry) throw noEntry(kind, name)
  return entry
}

export function noEntry(kind: EntryKind, name: string): Refusal {
  return new Refusal('not_found', `There is no ${kind} ${name.slice(0, 60)}.`)
}

function shownBase({ kind, name, settings, managed_by }: BaseEntry): ConfiguredEntry {
  return {
    kind,
    name,
    managed_by,
    version: 0,
    settings: takeSecrets(kind, settings).settings,
    is_shadowed: false,
  }
}

function shownStored({ kind, name, row }: StoredEntry, base: readonly BaseEntry[]): ConfiguredEntry {
  return {
    kind,
    name,
    managed_by: 'operator',
    version: Number(row.version),
    settings: row.settings,
    is_shadowed: base.some((one) => one.kind === kind && one.name === name),
    changed_datetime: row.changed_datetime,
    changed_by: row.changed_by,
  }
}
