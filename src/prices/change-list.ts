import type { Db, Tx } from '../db/connect.ts'
import { raiseLiveVersion } from '../db/live-versions.ts'
import { transaction } from '../db/transaction.ts'
import { recordAudit, type Actor } from '../users/audit.ts'
import { moneyFromNumber } from '../values/money.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { lockForChange, PRICES } from './change.ts'
import { shownFees, type Fees } from './fees.ts'
import { COMMISSION, MAX_FEE, type BelowCost, type PriceListChange } from './schema.ts'
import { storeBelowCost, storeFees, type ListRow } from './store.ts'

/** Changes the given settings of a price list: its fees, and what happens to prices below cost. */
export async function changeList(
  { db }: { db: Db },
  who: Actor,
  name: string,
  change: Partial<PriceListChange>,
): Promise<void> {
  const fees = readFees(change)
  await transaction(db, async (tx) => {
    const list = await lockForChange(tx, name, undefined)
    if (list.kind === 'cost') throw new Refusal('conflict', `${name} is a cost list: it has no prices for customers.`)
    if (change.below_cost !== undefined) await changeBelowCost(tx, who, list, change.below_cost)
    await changeFees(tx, who, list, fees)
    await raiseLiveVersion(tx, PRICES)
  })
}

async function changeBelowCost(tx: Tx, who: Actor, list: ListRow, below_cost: BelowCost): Promise<void> {
  if (list.below_cost === below_cost) return
  await storeBelowCost(tx, list.id, below_cost)
  await recordAudit(tx, who, {
    organisation_id: null,
    action: 'prices.below_cost',
    subject: list.name,
    before: { below_cost: list.below_cost },
    after: { below_cost },
  })
}

async function changeFees(tx: Tx, who: Actor, list: ListRow, given: Partial<Fees>): Promise<void> {
  const { otp_per_request, otp_per_verified, airtime_commission } = list
  const before = { otp_per_request, otp_per_verified, airtime_commission }
  const after = { ...before, ...given }
  if (
    before.otp_per_request === after.otp_per_request &&
    before.otp_per_verified === after.otp_per_verified &&
    before.airtime_commission === after.airtime_commission
  ) {
    return
  }
  await storeFees(tx, list.id, after)
  await recordAudit(tx, who, {
    organisation_id: null,
    action: 'prices.fees',
    subject: list.name,
    before: shownFees(before),
    after: shownFees(after),
  })
}

/** The fees that are given; null: none. */
function readFees({ otp_per_request, otp_per_verified, airtime_commission }: Partial<PriceListChange>): Partial<Fees> {
  const faults: Fault[] = []
  const fees = {
    ...(otp_per_request === undefined ? {} : { otp_per_request: readFee('otp_per_request', otp_per_request, faults) }),
    ...(otp_per_verified === undefined
      ? {}
      : { otp_per_verified: readFee('otp_per_verified', otp_per_verified, faults) }),
    ...(airtime_commission === undefined ? {} : { airtime_commission: readPercent(airtime_commission, faults) }),
  }
  refuseIfFaulty(faults)
  return fees
}

function readFee(field: string, given: number | null, faults: Fault[]): bigint | null {
  if (given === null) return null
  const amount = moneyFromNumber(given)
  if (amount !== undefined && given >= 0 && given <= MAX_FEE) return amount
  const message = `A fee is at least 0 and at most ${MAX_FEE.toLocaleString('en')}, with up to four decimals.`
  faults.push({ field, message, type: 'invalid' })
  return null
}

/** In hundredths. */
function readPercent(given: number | null, faults: Fault[]): number | null {
  if (given === null) return null
  const { least, most } = COMMISSION
  const amount = moneyFromNumber(given)
  if (amount !== undefined && amount % HUNDREDTH === 0n && given >= least && given <= most) {
    return Number(amount / HUNDREDTH)
  }
  const message = `A commission is ${least} to ${most} percent, with up to two decimals.`
  faults.push({ field: 'airtime_commission', message, type: 'invalid' })
  return null
}

/** Ten-thousandths in a hundredth. */
const HUNDREDTH = 100n
