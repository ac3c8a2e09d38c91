import type { Db, Tx } from '../db/connect.ts'
import { makeBoundedCache } from '../values/concurrency/bounded-cache.ts'
import type { Log } from '../values/log.ts'
import { moneyToNumber, moneyToText, type SpendingLimit } from '../values/money.ts'
import { present } from '../values/record.ts'
import { Refusal } from '../values/refusal.ts'
import type { ChargeSale } from './charge.ts'
import { noteUncovered, setCreditLimit } from './credit-store.ts'
import { lockBalance, readBalance } from './store.ts'

/** Sets how much an organisation may owe, and returns the limit before. Refused below what it owes already. */
export async function limitCredit(tx: Tx, organisation_id: string, credit_limit: bigint): Promise<bigint> {
  await lockBalance(tx, organisation_id)
  const { balance, credit_limit: before } = await readBalance(tx, organisation_id)
  if (balance < -credit_limit) {
    const message = `The organisation owes ${moneyToText(-balance)}: the credit limit cannot be lower.`
    throw new Refusal('conflict', message, [{ field: 'credit_limit', message, type: 'greater_than_equal' }])
  }
  if (credit_limit !== before) await setCreditLimit(tx, organisation_id, credit_limit)
  return before
}

/** The limit in an audit entry. */
export const creditOf = (credit_limit: bigint | undefined): { credit_limit?: number } =>
  present('credit_limit', credit_limit === undefined ? undefined : moneyToNumber(credit_limit))

/** While charges are refused, how often each process writes that. */
const NOTE_INTERVAL_MS = 3_000
const MAX_NOTED = 10_000

/**
 * Marks organisations whose charges were refused because balance and credit did not cover them, for `balance.exhausted`, and
 * notes charges beyond the spending limit of a key, for `balance.spending_limit`.
 */
export function makeNoteRefusedCharges(
  {
    db,
    log,
    noteOverLimit,
  }: {
    db: Db
    log: Pick<Log, 'warn'>
    noteOverLimit: (organisation_id: string, limit: SpendingLimit, charge: bigint) => Promise<void>
  },
  now: () => number = () => performance.now(),
): <Item>(charge: ChargeSale<Item>) => ChargeSale<Item> {
  const noted_at = makeBoundedCache<string, number>(MAX_NOTED)

  function note(subject: string, organisation_id: string, write: () => Promise<void>): void {
    if (now() - (noted_at.get(subject) ?? -Infinity) < NOTE_INTERVAL_MS) return
    noted_at.set(subject, now())
    write().catch((err: unknown) => {
      log.warn({ err, organisation_id }, 'a refused charge could not be noted for its event')
    })
  }

  return (charge) => async (organisation_id, sale) => {
    try {
      return await charge(organisation_id, sale)
    } catch (fault) {
      const { amount, spending_limit } = sale
      if (fault instanceof Refusal && fault.code === 'insufficient_balance') {
        note(organisation_id, organisation_id, () => noteUncovered(db, organisation_id, amount))
      } else if (fault instanceof Refusal && fault.code === 'spending_limit' && spending_limit) {
        note(spending_limit.key_id, organisation_id, () => noteOverLimit(organisation_id, spending_limit, amount))
      }
      throw fault
    }
  }
}
