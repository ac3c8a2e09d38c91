import type { Db, Tx } from '../db/connect.ts'
import { makeBoundedCache } from '../values/concurrency/bounded-cache.ts'
import type { Log } from '../values/log.ts'
import { moneyToNumber, moneyToText } from '../values/money.ts'
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

/** While an organisation sends more than it can pay for, how often each process writes that. */
const NOTE_INTERVAL_MS = 3_000
const MAX_NOTED = 10_000

/** Marks organisations whose charges were refused because balance and credit did not cover them, for `balance.exhausted`. */
export function makeNoteRefusedCharges(
  { db, log }: { db: Db; log: Pick<Log, 'warn'> },
  now: () => number = () => performance.now(),
): <Item>(charge: ChargeSale<Item>) => ChargeSale<Item> {
  const noted_at = makeBoundedCache<string, number>(MAX_NOTED)

  function note(organisation_id: string, amount: bigint): void {
    if (now() - (noted_at.get(organisation_id) ?? -Infinity) < NOTE_INTERVAL_MS) return
    noted_at.set(organisation_id, now())
    noteUncovered(db, organisation_id, amount).catch((err: unknown) => {
      log.warn({ err, organisation_id }, 'a refused charge could not be noted for balance.exhausted')
    })
  }

  return (charge) => async (organisation_id, sale) => {
    try {
      return await charge(organisation_id, sale)
    } catch (fault) {
      if (fault instanceof Refusal && fault.code === 'insufficient_balance') note(organisation_id, sale.amount)
      throw fault
    }
  }
}
