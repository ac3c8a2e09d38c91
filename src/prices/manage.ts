import type { Db, Tx } from '../db/connect.ts'
import { raiseLiveVersion } from '../db/live-versions.ts'
import { transaction } from '../db/transaction.ts'
import { recordAudit, type Actor } from '../users/audit.ts'
import { newId } from '../values/id.ts'
import { present } from '../values/record.ts'
import { Refusal, refuseIfFaulty } from '../values/refusal.ts'
import { lockForChange, managedByFile, noList, PRICES } from './change.ts'
import { copyRules, insertChange } from './rule-store.ts'
import { listCarriersOf } from './cost-store.ts'
import { LIST_NAME, MAX_LISTS, type ListKind } from './schema.ts'
import {
  assignList,
  countAssigned,
  countLists,
  deleteList,
  FILE_LIST,
  insertList,
  lockList,
  moveDefault,
  storeFees,
  type ListRow,
} from './store.ts'

/** Creates an empty list, or a copy of the current rules and fees of another. */
export async function createList(
  { db }: { db: Db },
  who: Actor,
  { name, kind = 'price', copy_of }: { name: string; kind?: ListKind | undefined; copy_of?: string | undefined },
): Promise<void> {
  if (!LIST_NAME.test(name)) {
    const message = 'A name has up to 40 lower-case letters, digits and dashes, such as wholesale-2027.'
    refuseIfFaulty([{ field: 'name', message, type: 'invalid' }])
  }
  if (name === FILE_LIST) throw managedByFile()
  await transaction(db, async (tx) => {
    const id = newId()
    if (!(await insertList(tx, { id, name, kind, managed_by: 'operator' }))) {
      throw new Refusal('conflict', `There is a list ${name} already.`)
    }
    if ((await countLists(tx)) > MAX_LISTS) {
      throw new Refusal('conflict', `There are at most ${MAX_LISTS.toLocaleString('en')} price and cost lists.`)
    }
    let copied = 0
    if (copy_of !== undefined) {
      const from = await lockList(tx, copy_of)
      if (!from) throw noList(copy_of)
      if (from.managed_by === 'file') throw managedByFile()
      copied = await copyRules(tx, from.id, id)
      if (kind === from.kind) await storeFees(tx, id, from)
      const counts = { added: copied, raised: 0, lowered: 0, removed: 0 }
      await insertChange(tx, id, { version: 0n, kind: 'set', actor: who.actor, file_name: null, ...counts })
    }
    await recordAudit(tx, who, {
      organisation_id: null,
      action: 'prices.create',
      subject: name,
      after: {
        ...(kind === 'cost' ? { kind } : {}),
        ...present('copy_of', copy_of),
        ...(copied > 0 ? { rules: copied } : {}),
      },
    })
    await raiseLiveVersion(tx, PRICES)
  })
}

/** Deletes a list with its history. Refused while it is the default, or assigned to an organisation or a carrier. */
export async function removeList({ db }: { db: Db }, who: Actor, name: string): Promise<void> {
  await transaction(db, async (tx) => {
    const list = await lockForChange(tx, name, undefined)
    if (list.is_default) throw new Refusal('conflict', `${name} is the default: choose another default first.`)
    const assigned = await countAssigned(tx, list.id)
    if (assigned > 0) {
      const whose = assigned === 1 ? 'an organisation' : `${assigned} organisations`
      throw new Refusal('conflict', `${name} is assigned to ${whose}: assign another list first.`)
    }
    const carriers = await listCarriersOf(tx, list.id)
    if (carriers.length > 0) {
      throw new Refusal('conflict', `${name} is assigned to ${carriers.join(', ')}: assign another list first.`)
    }
    await deleteList(tx, list.id)
    await recordAudit(tx, who, { organisation_id: null, action: 'prices.delete', subject: name })
    await raiseLiveVersion(tx, PRICES)
  })
}

/** Makes a list that of all organisations without an assignment. */
export async function setDefaultList({ db }: { db: Db }, who: Actor, name: string): Promise<void> {
  await transaction(db, async (tx) => {
    // Changes of the default wait for each other here.
    await raiseLiveVersion(tx, PRICES)
    const list = await lockAnyList(tx, name)
    if (list.is_default) return
    const before = (await moveDefault(tx, list.id)) ?? FILE_LIST
    if (before === name) return
    await recordAudit(tx, who, {
      organisation_id: null,
      action: 'prices.default',
      subject: name,
      before: { default: before },
      after: { default: name },
    })
  })
}

/** Assigns a list to an organisation and its test organisation; null: the default. The organisation exists. */
export async function assignPrices(
  { db }: { db: Db },
  who: Actor,
  organisation_id: string,
  name: string | null,
): Promise<void> {
  await transaction(db, async (tx) => {
    const list = name === null ? undefined : await lockAnyList(tx, name)
    const before = (await assignList(tx, organisation_id, list?.id ?? null)) ?? null
    if (before === name) return
    await recordAudit(tx, who, {
      organisation_id,
      action: 'prices.assign',
      subject: organisation_id,
      before: { price_list: before },
      after: { price_list: name },
    })
  })
}

/** The list of the configuration file gets its row here. */
async function lockAnyList(tx: Tx, name: string): Promise<ListRow> {
  if (name === FILE_LIST) await insertList(tx, { id: newId(), name, kind: 'price', managed_by: 'file' })
  const list = await lockList(tx, name)
  if (!list) throw noList(name)
  if (list.kind === 'cost') throw new Refusal('conflict', `${name} is a cost list: it has no prices for customers.`)
  return list
}
