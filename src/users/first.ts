import type { Db } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { newId } from '../values/id.ts'
import { linkFor } from './invite.ts'
import { findNamelessOperator, hasUsers, insertUser, lockFounding } from './store.ts'

/**
 * As long as nobody has ever chosen a password, a start gives a one-time link for the first operator, who also chooses
 * an address with it. Earlier links stay good until one is used: a second process must not spoil what the first printed.
 */
export async function ensureFirstOperator(deps: { db: Db }): Promise<string | undefined> {
  return transaction(deps.db, async (tx) => {
    await lockFounding(tx)
    if (await hasUsers(tx)) return undefined
    const found = await findNamelessOperator(tx)
    const id = found?.id ?? newId()
    if (!found) await insertUser(tx, { id, organisation_id: null, email: null, name: null })
    const { token } = await linkFor(tx, id)
    return token
  })
}
