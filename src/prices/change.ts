import { transaction } from '../db/transaction.ts'
import type { Db, Tx } from '../db/connect.ts'
import { raiseLiveVersion } from '../db/live-versions.ts'
import { recordAudit, type Actor } from '../users/audit.ts'
import { Refusal } from '../values/refusal.ts'
import {
  countCurrent,
  findLastImport,
  insertChange,
  insertRules,
  markUndone,
  restoreWithdrawn,
  withdrawAdded,
  withdrawRules,
  type ChangeRow,
  type NewRule,
} from './rule-store.ts'
import { MAX_RULES, type Counts } from './schema.ts'
import { FILE_LIST, findList, lockList, raiseVersion, type ListRow } from './store.ts'

/** What processes follow, see `live-versions.ts`. */
export const PRICES = 'prices'
export const COSTS = 'costs'

/** Rules written by one statement: building it holds the event loop for about a millisecond. */
const RULES_PER_STATEMENT = 500

export type PlannedChange = Counts & { add: readonly NewRule[]; withdraw: readonly (bigint | string)[] }

type Described = Pick<ChangeRow, 'kind' | 'file_name'> & {
  before?: Record<string, unknown> | undefined
  after?: Record<string, unknown> | undefined
}

/**
 * Writes a change of a list that this transaction has locked. It is visible to all at the commit, and in effect in every
 * process within two seconds. Returns the new version.
 */
export async function writeChange(
  tx: Tx,
  who: Actor,
  list: ListRow,
  { add, withdraw, ...counts }: PlannedChange,
  described: Described,
): Promise<bigint> {
  const version = await raiseVersion(tx, list.id)
  await writeRules(tx, list, version, { add, withdraw })
  await endChange(tx, who, list, { version, ...counts }, described)
  return version
}

/** A part of the rules of a change, whose version was raised before and which `endChange` ends. */
export async function writeRules(
  tx: Tx,
  list: ListRow,
  version: bigint,
  { add, withdraw }: Pick<PlannedChange, 'add' | 'withdraw'>,
): Promise<void> {
  for (let at = 0; at < withdraw.length; at += RULES_PER_STATEMENT) {
    await withdrawRules(tx, list.id, version, withdraw.slice(at, at + RULES_PER_STATEMENT))
  }
  for (let at = 0; at < add.length; at += RULES_PER_STATEMENT) {
    await insertRules(tx, list.id, version, add.slice(at, at + RULES_PER_STATEMENT))
  }
}

export async function endChange(
  tx: Tx,
  who: Actor,
  list: ListRow,
  { version, added, raised, lowered, removed }: Counts & { version: bigint },
  { kind, file_name, before, after }: Described,
): Promise<void> {
  if ((await countCurrent(tx, list.id)) > MAX_RULES) {
    throw new Refusal('conflict', `A price list has at most ${MAX_RULES.toLocaleString('en')} rules.`)
  }
  const counts = { added, raised, lowered, removed }
  await insertChange(tx, list.id, { version, kind, actor: who.actor, file_name, ...counts })
  await recordAudit(tx, who, {
    organisation_id: null,
    action: `prices.${kind}`,
    subject: list.name,
    before,
    after: { version: Number(version), ...(kind === 'set' ? {} : counts), ...after },
  })
  await raiseLiveVersion(tx, list.kind === 'cost' ? COSTS : PRICES)
}

/** Locks a list that may be changed. `expected`: the version that the change was made for; undefined: any. */
export async function lockForChange(tx: Tx, name: string, expected: number | undefined): Promise<ListRow> {
  const list = await lockList(tx, name)
  if (!list) throw name === FILE_LIST ? managedByFile() : noList(name)
  if (list.managed_by === 'file') throw managedByFile()
  if (expected !== undefined && BigInt(expected) !== list.version) {
    throw new Refusal('conflict', `${name} was changed in the meantime: read it again, then repeat the change.`)
  }
  return list
}

/**
 * Reverts the latest import that was not reverted: its rules end, and those that it replaced are back. Later changes stay.
 */
export async function undoImport(
  { db }: { db: Db },
  who: Actor,
  name: string,
  expected?: number,
): Promise<{ version: number; undone: ChangeRow }> {
  return transaction(db, async (tx) => {
    const list = await lockForChange(tx, name, expected)
    const undone = await findLastImport(tx, list.id)
    if (!undone) throw new Refusal('conflict', `There is no import of ${name} to undo.`)
    const { added, raised, lowered, removed } = undone
    // Seen from before the undo: what was added is removed.
    const counts = { added: removed, raised: lowered, lowered: raised, removed: added }
    const version = await writeChange(
      tx,
      who,
      list,
      { add: [], withdraw: [], ...counts },
      { kind: 'undo', file_name: undone.file_name, after: { import_version: Number(undone.version) } },
    )
    const both = { of: undone.version, version }
    await withdrawAdded(tx, list.id, both)
    await restoreWithdrawn(tx, list.id, both)
    await markUndone(tx, list.id, both)
    return { version: Number(version), undone }
  })
}

export async function requireList(db: Db, name: string): Promise<ListRow> {
  const list = await findList(db, name)
  if (!list) throw name === FILE_LIST ? managedByFile() : noList(name)
  return list
}

export function noList(name: string): Refusal {
  return new Refusal('not_found', `There is no price list ${name.slice(0, 60)}.`)
}

export function managedByFile(): Refusal {
  return new Refusal('conflict', 'This list is the `prices` of the configuration file: change them there.')
}
