import type { Db, Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { isId, newId } from '../values/id.ts'
import { Refusal } from '../values/refusal.ts'
import { MAX_SENDERS, type RegisteredSender, type SenderState } from './schema.ts'
import { shownSender } from './registry.ts'
import {
  countSenders,
  findSenderByName,
  insertFirstSender,
  insertSender,
  listAllSenders,
  lockSenders,
  writeState,
  type SenderOfOrganisation,
} from './store.ts'
import { codeOf } from '../values/thrown.ts'

const UNIQUE_VIOLATION = '23505'

/** Records the operator's decision on a sender; it applies on every process within a second. `also` joins the transaction. */
export async function decideSender(
  deps: { db: Db },
  organisation_id: string,
  id: string,
  decision: { state: Exclude<SenderState, 'pending'>; reason: string | null },
  also: (tx: Tx, sender: RegisteredSender) => Promise<void> = async () => {},
): Promise<RegisteredSender> {
  return unlessOwned(() =>
    transaction(deps.db, async (tx) => {
      const row = isId(id) && isId(organisation_id) ? await writeState(tx, organisation_id, id, decision) : undefined
      if (!row) throw new Refusal('not_found', 'There is no such sender.')
      const sender = shownSender(row)
      await also(tx, sender)
      return sender
    }),
  )
}

/** Makes a number an approved sender of a live organisation: what is sent to the number is the organisation's. */
export async function assignNumber(
  { db }: { db: Db },
  organisation_id: string,
  digits: string,
): Promise<RegisteredSender> {
  return unlessOwned(() =>
    transaction(db, async (tx) => {
      await lockSenders(tx, organisation_id)
      const known = await findSenderByName(tx, organisation_id, digits)
      if (!known && (await countSenders(tx, organisation_id)) >= MAX_SENDERS) {
        throw new Refusal('conflict', `An organisation has at most ${MAX_SENDERS} senders.`)
      }
      const id = known?.id ?? newId()
      if (!known) await insertSender(tx, organisation_id, { id, sender_id: digits, class: 'transactional', note: null })
      const row = await writeState(tx, organisation_id, id, { state: 'approved', reason: null })
      if (!row) throw new Error('a locked sender was deleted')
      return shownSender(row)
    }),
  )
}

async function unlessOwned<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (fault) {
    if (codeOf(fault) !== UNIQUE_VIOLATION) throw fault
    throw new Refusal('conflict', 'This number belongs to another organisation already.')
  }
}

/** The senders of all organisations, pending ones first. */
export async function findAllSenders(deps: { db: Db }, state?: SenderState): Promise<SenderOfOrganisation[]> {
  return listAllSenders(deps.db, state)
}

/** Registers the default sender of a new organisation, which needs no further approval. */
export async function registerFirstSender(tx: Tx, organisation_id: string, sender_id: string): Promise<void> {
  await insertFirstSender(tx, organisation_id, { id: newId(), sender_id })
}
