import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../db/connect.ts'
import { raiseLiveVersion } from '../db/live-versions.ts'
import { transaction } from '../db/transaction.ts'
import { PAUSES } from '../messaging/pauses/pause.ts'
import { deletePause } from '../messaging/pauses/store.ts'
import { recordAudit, type Actor } from '../users/audit.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { changedFields } from './compare.ts'
import {
  LIVE_CONFIG,
  readStored,
  sealSecrets,
  UNREADABLE,
  type BaseEntry,
  type Entry,
  type ModeChange,
  type StoredEntry,
} from './entries.ts'
import { checkEntry, nameIn, namesCarrier, placeOf } from './check-entry.ts'
import { noEntry, type LiveConfigDeps } from './read.ts'
import { refuseWaiting } from './waiting.ts'
import { ENTRY_KINDS, type ChangesMade, type EntryChange, type EntryKind, type EntrySettings } from './schema.ts'
import { placeholderOf, putSecrets, takeSecrets, type Secrets } from './secrets.ts'
import { deleteRow, lockRows, moveRow, saveRow } from './store.ts'

type Stored = { stored: readonly StoredEntry[]; base: readonly BaseEntry[] }
/** All entries of operators after a change, in their order. */
type Plan = (now: Stored, faults: Fault[]) => readonly Entry[]
type Options = { dry_run?: boolean; shorten?: { kind: EntryKind; name: string } }

/** Adds an entry behind the others of its kind. */
export async function createEntry(
  deps: LiveConfigDeps,
  who: Actor,
  kind: EntryKind,
  settings: EntrySettings,
): Promise<ChangesMade> {
  const name = nameIn(settings, 'new')
  return change(
    deps,
    who,
    ({ stored, base }, faults) => {
      const known = [...stored, ...base.filter(({ managed_by }) => managed_by === 'file')]
      if (known.some((one) => one.kind === kind && one.name === name)) {
        throw new Refusal('conflict', `There is a ${kind} ${name.slice(0, 60)} already.`)
      }
      return [...stored, opened({ kind, name, settings }, new Map(), faults)]
    },
    { shorten: { kind, name } },
  )
}

/** Replaces the settings of an entry. Placeholders keep the stored secrets. */
export async function updateEntry(
  deps: LiveConfigDeps,
  who: Actor,
  kind: EntryKind,
  name: string,
  { version, settings }: { version: number; settings: EntrySettings },
): Promise<ChangesMade> {
  return change(
    deps,
    who,
    (now, faults) => {
      const entry = findForChange(now, kind, name, version)
      if (settings.name !== name) {
        const message = `An entry keeps its name, ${name}: create another one, and delete this one.`
        faults.push({ field: placeOf(kind, name, 'name'), message, type: 'invalid' })
      }
      const next = opened({ kind, name, settings: { ...settings, name } }, entry.secrets, faults)
      return now.stored.map((one) => (one === entry ? next : one))
    },
    { shorten: { kind, name } },
  )
}

/** Deletes an entry. Refused for a carrier that a route names, and for a route that messages wait for. */
export async function deleteEntry(
  deps: LiveConfigDeps,
  who: Actor,
  kind: EntryKind,
  name: string,
  version: number | undefined,
): Promise<ChangesMade> {
  return change(deps, who, (now) => {
    const entry = findForChange(now, kind, name, version)
    const is_shadowed = now.base.some((one) => one.kind === kind && one.name === name)
    const users = now.stored.filter((one) => one.kind === 'route' && namesCarrier(one.settings, name))
    if (kind === 'carrier' && users.length > 0 && !is_shadowed) {
      const routes = users.map((one) => one.name).join(', ')
      throw new Refusal('conflict', `${name} is a carrier of ${routes}: change that first.`)
    }
    return now.stored.filter((one) => one !== entry)
  })
}

/**
 * Makes the entries of operators those of a file: what it does not name is deleted, except of a kind that is absent. Entries
 * of the configuration file may stand in it as they are.
 */
export async function applyEntries(
  deps: LiveConfigDeps,
  who: Actor,
  given: { carriers?: readonly EntrySettings[] | undefined; routes?: readonly EntrySettings[] | undefined },
  dry_run = false,
): Promise<ChangesMade> {
  const wanted = ENTRY_KINDS.flatMap((kind) =>
    (given[`${kind}s`] ?? []).map((settings, n): Entry => ({ kind, name: nameIn(settings, String(n)), settings })),
  )
  const absent = ENTRY_KINDS.filter((kind) => given[`${kind}s`] === undefined)
  return change(
    deps,
    who,
    ({ stored, base }, faults) => [
      ...stored.filter(({ kind }) => absent.includes(kind)),
      ...wanted.flatMap((entry): Entry[] => {
        const same = (one: Entry): boolean => one.kind === entry.kind && one.name === entry.name
        const fixed = base.find((one) => same(one) && one.managed_by !== 'operator')
        if (fixed) {
          const { secrets } = takeSecrets(fixed.kind, fixed.settings)
          const next = opened(entry, secrets, fixed.managed_by === 'file' ? faults : [])
          if (isSame(deps, fixed, next)) return []
          if (fixed.managed_by === 'file') {
            faults.push({ field: placeOf(entry.kind, entry.name), message: MANAGED_BY_FILE, type: 'invalid' })
            return []
          }
        }
        return [opened(entry, stored.find(same)?.secrets ?? new Map(), faults)]
      }),
    ],
    { dry_run },
  )
}

const MANAGED_BY_FILE = 'It is managed by the configuration file: change it there.'
/**
 * Validates the whole configuration as it would be, with all errors in one refusal, and writes what differs. Changes run
 * one after the other; every process applies one within two seconds.
 */
async function change(
  deps: LiveConfigDeps,
  who: Actor,
  plan: Plan,
  { dry_run = false, shorten }: Options = {},
): Promise<ChangesMade> {
  return transaction(deps.db, async (tx) => {
    if (!dry_run) await lockRows(tx)
    const stored = await readStored(tx, deps.secret_seal)
    const faults: Fault[] = []
    const next = plan({ stored, base: deps.configuration.base(stored) }, faults)
    const mode = validate(deps, next, faults, shorten)
    const changes = changesBetween(deps, stored, next)
    await refuseWaiting(deps, changes)
    const applied = !dry_run && changes.length > 0
    if (applied) await write(tx, deps, who, { stored, next, changes })
    return { changes, applied, ...mode }
  })
}

function validate(
  { configuration }: LiveConfigDeps,
  next: readonly Entry[],
  faults: Fault[],
  shorten: Options['shorten'],
): ModeChange {
  for (const entry of next) checkEntry(entry, faults)
  for (const entry of next) {
    const is_unreadable = 'is_readable' in entry && entry.is_readable === false
    if (is_unreadable) faults.push({ field: placeOf(entry.kind, entry.name), message: UNREADABLE, type: 'invalid' })
  }
  const { faults: found, ...mode } = configuration.check(next)
  // A placeholder without its secret is one fault, not also one of its length.
  const isNew = ({ field }: Fault): boolean => faults.every((one) => !`${field}.`.startsWith(`${one.field}.`))
  const all = [...faults, ...found.filter(isNew)]
  const own = shorten && placeOf(shorten.kind, shorten.name)
  refuseIfFaulty(all.map((fault) => ({ ...fault, field: shortened(fault.field, own) })))
  return mode
}

/** Fields of the entry that the request is about are those of its `settings`. */
function shortened(field: string, own: string | undefined): string {
  if (own === undefined || (field !== own && !field.startsWith(`${own}.`))) return field
  return `settings${field.slice(own.length).replace(/\.(\d+)(?=\.|$)/g, '[$1]')}`
}

function namesOf(entries: readonly Entry[], kind: EntryKind): string[] {
  return entries.filter((one) => one.kind === kind).map(({ name }) => name)
}

function changesBetween(deps: LiveConfigDeps, stored: readonly Entry[], next: readonly Entry[]): EntryChange[] {
  const find = (entries: readonly Entry[], { kind, name }: Entry): Entry | undefined =>
    entries.find((one) => one.kind === kind && one.name === name)
  const written = next.flatMap((entry): EntryChange[] => {
    const before = find(stored, entry)
    if (before && isSame(deps, before, entry)) return []
    const { kind, name } = entry
    return [{ kind, name, change: before ? 'updated' : 'created', fields: changedFields(before, entry) }]
  })
  const deleted = stored
    .filter((entry) => !find(next, entry))
    .map((entry): EntryChange => {
      const { kind, name } = entry
      return { kind, name, change: 'deleted', fields: changedFields(entry, undefined) }
    })
  const reordered = ENTRY_KINDS.flatMap((kind): EntryChange[] => {
    const kept = namesOf(stored, kind).filter((name) => find(next, { kind, name, settings: {} }))
    const order = [...kept, ...namesOf(next, kind).filter((name) => !kept.includes(name))]
    const wanted = namesOf(next, kind)
    if (order.join(' ') === wanted.join(' ')) return []
    return [
      {
        kind,
        name: '*',
        change: 'reordered',
        fields: [{ field: 'order', before: order.join(', '), after: wanted.join(', ') }],
      },
    ]
  })
  return [...written, ...deleted, ...reordered]
}

async function write(
  tx: Tx,
  { secret_seal }: LiveConfigDeps,
  who: Actor,
  {
    stored,
    next,
    changes,
  }: { stored: readonly StoredEntry[]; next: readonly Entry[]; changes: readonly EntryChange[] },
): Promise<void> {
  const version = await raiseLiveVersion(tx, LIVE_CONFIG)
  for (const { kind, name, change: what, fields } of changes) {
    if (what === 'deleted') {
      await deleteRow(tx, { kind, name })
      if (await deletePause(tx, kind, name)) await raiseLiveVersion(tx, PAUSES)
    }
    await recordAudit(tx, who, {
      organisation_id: null,
      action: `${kind}.${VERBS[what]}`,
      subject: name,
      before: shownFields(fields, 'before'),
      after: shownFields(fields, 'after'),
    })
  }
  for (const kind of ENTRY_KINDS) {
    for (const [position, entry] of next.filter((one) => one.kind === kind).entries()) {
      const { name } = entry
      if (changes.some((one) => one.kind === kind && one.name === name)) {
        const { settings, secrets } = takeSecrets(kind, entry.settings)
        const sealed = sealSecrets(secret_seal, entry, secrets)
        await saveRow(tx, { kind, name, position, settings, secrets: sealed, version, changed_by: who.actor })
      } else if (stored.find((one) => one.kind === kind && one.name === name)?.row.position !== position) {
        await moveRow(tx, { kind, name, position })
      }
    }
  }
}

const VERBS = { created: 'create', updated: 'update', deleted: 'delete', reordered: 'reorder' } as const

function shownFields(fields: EntryChange['fields'], side: 'before' | 'after'): Record<string, unknown> | undefined {
  const shown = fields.filter((one) => side in one).map((one) => [one.field, one[side]])
  return shown.length === 0 ? undefined : Object.fromEntries(shown)
}

function findForChange(
  { stored, base }: Stored,
  kind: EntryKind,
  name: string,
  expected: number | undefined,
): StoredEntry {
  const entry = stored.find((one) => one.kind === kind && one.name === name)
  if (!entry) {
    const fixed = base.find((one) => one.kind === kind && one.name === name)
    if (!fixed) throw noEntry(kind, name)
    const message = fixed.managed_by === 'file' ? MANAGED_BY_FILE : `${name} is there until a ${kind} is configured.`
    throw new Refusal('conflict', message)
  }
  if (expected !== undefined && BigInt(expected) !== entry.row.version) {
    throw new Refusal('conflict', `${name} was changed in the meantime: read it again, then repeat the change.`)
  }
  return entry
}

/** With the secrets that its placeholders stand for. */
function opened(entry: Entry, secrets: Secrets, faults: Fault[]): Entry {
  const { settings, missing } = putSecrets(entry.kind, entry.settings, secrets)
  for (const path of missing) {
    const message = `There is no stored secret for this placeholder, such as ${placeholderOf(path)}: enter the secret.`
    faults.push({ field: placeOf(entry.kind, entry.name, path), message, type: 'missing' })
  }
  return { ...entry, settings }
}

function isSame({ configuration }: LiveConfigDeps, one: Entry, other: Entry): boolean {
  return isDeepStrictEqual(configuration.complete(one), configuration.complete(other))
}
