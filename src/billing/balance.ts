import type { Db, Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { newId } from '../values/id.ts'
import { entry } from './ledger.ts'
import type { LedgerEntry } from './schema.ts'
import { Refusal } from '../values/refusal.ts'
import { addLine, findOperatorLine, lockBalance, openBalance, readBalance } from './store.ts'
import { insufficientBalance } from './charge.ts'

/** Opens the account of a new organisation, with its opening credit as the first ledger line. */
export async function openAccount(tx: Tx, organisation_id: string, credit: bigint): Promise<void> {
  await openBalance(tx, organisation_id)
  if (credit > 0n) await addLine(tx, organisation_id, { kind: 'opening', amount: credit, subject_id: newId() })
}

/** Adds to the balance, or subtracts from it if negative, and returns the new balance. */
export async function topUp(deps: { db: Db }, organisation_id: string, amount: bigint): Promise<bigint> {
  const kind = amount > 0n ? 'top_up' : 'adjustment'
  return transaction(deps.db, (tx) => addLine(tx, organisation_id, { kind, amount, subject_id: newId() }))
}

/**
 * Tops up with a reason that is stored on the line. Idempotent by `subject_id`. `also` joins the transaction, to write the
 * audit entry.
 */
export async function topUpOnce(
  deps: { db: Db },
  organisation_id: string,
  { amount, note, subject_id }: { amount: bigint; note: string; subject_id: string },
  also: (tx: Tx, entry: LedgerEntry) => Promise<void>,
): Promise<LedgerEntry> {
  const kind = amount > 0n ? 'top_up' : 'adjustment'
  return transaction(deps.db, async (tx) => {
    await lockBalance(tx, organisation_id)
    const known = await findOperatorLine(tx, organisation_id, subject_id)
    if (known) {
      if (known.amount === amount && known.note === note) return entry(known)
      throw new Refusal('idempotency_conflict', 'This Idempotency-Key was used before with another request.')
    }
    const { balance, credit_limit } = await readBalance(tx, organisation_id)
    if (balance + credit_limit + amount < 0n) throw insufficientBalance()
    await addLine(tx, organisation_id, { kind, amount, subject_id, note })
    const line = await findOperatorLine(tx, organisation_id, subject_id)
    if (!line) throw new Error('a ledger line was inserted and is missing')
    await also(tx, entry(line))
    return entry(line)
  })
}
