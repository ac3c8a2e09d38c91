import type { Sql } from '../db/sql.ts'
import type { Fault } from '../values/refusal.ts'
import { isRecord } from '../values/record.ts'
import type { SecretSeal } from '../values/secrets/secret-seal.ts'
import type { ChangesMade, ConfiguredEntry, EntryKind, EntrySettings } from './schema.ts'
import { putSecrets, type Secrets } from './secrets.ts'
import { listRows, type EntryRow } from './store.ts'

/** What processes follow, see `db/live-versions.ts`. */
export const LIVE_CONFIG = 'configuration'

/** A carrier or route with its secrets, as the service runs it. */
export type Entry = { kind: EntryKind; name: string; settings: EntrySettings }
export type BaseEntry = Entry & Pick<ConfiguredEntry, 'managed_by'>

/** An entry of operators. Its secrets are missing if they were sealed under another pepper. */
export type StoredEntry = Entry & {
  secrets: Secrets
  is_readable: boolean
  row: EntryRow
}

/** What entries change beside carriers and routes; see `ChangesMade`. */
export type ModeChange = Pick<ChangesMade, 'needs_restart' | 'ends_sandbox'>

/** The rest of the configuration of a process, and the rules that it has to fit. */
export type Configuration = {
  /** The entries of the configuration file, or those that are there without one, beside these of operators. */
  base(entries: readonly Entry[]): readonly BaseEntry[]
  /** The settings with their defaults. */
  complete(entry: Entry): unknown
  /** All errors of the configuration with these entries beside its own. Fields: `carriers.NAME.FIELD`. */
  check(entries: readonly Entry[]): { faults: Fault[] } & ModeChange
}

export function boundTo(kind = '', name = ''): string {
  return `configured ${kind} ${name}`
}

/** The entries of operators, in their order. */
export async function readStored(sql: Sql, secret_seal: SecretSeal): Promise<StoredEntry[]> {
  return (await listRows(sql)).map((row) => openRow(row, secret_seal))
}

function openRow(row: EntryRow, secret_seal: SecretSeal): StoredEntry {
  const { kind, name } = row
  const opened = row.secrets === null ? '{}' : secret_seal.open(row.secrets, boundTo(kind, name))
  const secrets = secretsIn(opened ?? '{}')
  const { settings } = putSecrets(kind, row.settings, secrets)
  return { kind, name, settings, secrets, is_readable: opened !== undefined, row }
}

export function sealSecrets(secret_seal: SecretSeal, { kind, name }: Entry, secrets: Secrets): string | null {
  if (secrets.size === 0) return null
  return secret_seal.close(JSON.stringify(Object.fromEntries(secrets)), boundTo(kind, name))
}

function secretsIn(text: string): Secrets {
  const read: unknown = JSON.parse(text)
  if (!isRecord(read)) return new Map()
  return new Map(Object.entries(read).map(([path, secret]) => [path, String(secret)]))
}

export const UNREADABLE =
  'its secrets were sealed under another pepper: give that back, or enter the secrets of this carrier again'
