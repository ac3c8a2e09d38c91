import type { Db } from '../../db/connect.ts'
import type { Meters } from '../../observe/meters.ts'
import type { HttpAnswer } from '../../values/http/client.ts'
import type { Log } from '../../values/log.ts'
import { watchBalance } from '../balance-watch.ts'
import { amountOf, shortText } from '../vendor-values.ts'
import { scopeOf } from './answer.ts'
import type { Calls } from './calls.ts'
import { readText } from './mapping/path.ts'
import { saveBalance } from './store.ts'
import type { Vendor } from './vendor.ts'

export type Balance = { amount: bigint; currency: string | undefined }

/** Watches our balance at the vendor, if its preset says how to read it, and stores it for the other processes. */
export function startBalance(
  { db, log, meters, calls }: { db: Db; log: Log; meters: Meters; calls: Calls },
  vendor: Vendor,
): { stop(): Promise<void> } {
  const { name: carrier, settings, balance } = vendor
  if (!balance) return { stop: async () => {} }

  function measure(amount: number, is_low: boolean): void {
    meters.carrier_balance.set({ carrier }, amount)
    meters.carrier_balance_low.set({ carrier }, is_low ? 1 : 0)
  }

  async function read(): Promise<bigint | undefined> {
    const found = balance && readBalance(vendor, await calls.call(balance.write()))
    if (found) await saveBalance(db, carrier, found.amount, found.currency)
    return found?.amount
  }

  return watchBalance({ log, measure }, { vendor: carrier, low_balance: settings.low_balance }, read)
}

/** Undefined if the vendor does not say. */
export function readBalance({ balance }: Pick<Vendor, 'balance'>, answer: HttpAnswer): Balance | undefined {
  if (!balance || answer.kind !== 'answered' || answer.status < 200 || answer.status > 299) return undefined
  const scope = scopeOf(answer)
  const amount = amountOf(readText(scope, balance.amount))
  return amount === undefined ? undefined : { amount, currency: shortText(readText(scope, balance.currency)) }
}
