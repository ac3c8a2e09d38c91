import type { Db } from '../../db/connect.ts'
import type { Meters } from '../../observe/meters.ts'
import type { Log } from '../../values/log.ts'
import { moneyFromNumber, moneyToNumber } from '../../values/money.ts'
import { amountOf, words } from '../vendor-words.ts'
import { scopeOf } from './answer.ts'
import type { Called, Calls } from './calls.ts'
import { readText } from './mapping/path.ts'
import { saveBalance } from './store.ts'
import type { Vendor } from './vendor.ts'

const EVERY_MS = 300_000
const AFTER_FAULT_MS = 30_000

export type Balance = { amount: bigint; currency: string | undefined }

/** Reads now and then what is left of our money at the vendor, and warns while it is low. */
export function startBalance(
  deps: { db: Db; log: Log; meters: Meters; calls: Calls },
  vendor: Vendor,
): { stop(): Promise<void> } {
  const { name, settings, balance } = vendor
  if (!balance) return { stop: async () => {} }
  const limit = moneyFromNumber(settings.low_balance ?? 0) ?? 0n
  let was_low = false
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let reading = look()

  async function look(): Promise<void> {
    const found = balance && readBalance(vendor, await deps.calls.ask(balance.write()))
    if (found) await note(found).catch((fault: unknown) => deps.log.warn({ carrier: name, err: fault }, NOT_KEPT))
    if (stopped) return
    timer = setTimeout(
      () => {
        reading = look()
      },
      found ? EVERY_MS : AFTER_FAULT_MS,
    )
    timer.unref()
  }

  async function note({ amount, currency }: Balance): Promise<void> {
    const low = amount < limit
    deps.meters.carrier_balance.set({ carrier: name }, moneyToNumber(amount))
    deps.meters.carrier_balance_low.set({ carrier: name }, low ? 1 : 0)
    if (low && !was_low) {
      const details = { carrier: name, balance: moneyToNumber(amount), low_balance: moneyToNumber(limit) }
      deps.log.warn(details, 'the balance at a carrier is low')
    }
    was_low = low
    await saveBalance(deps.db, name, amount, currency)
  }

  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await reading
    },
  }
}

const NOT_KEPT = 'the balance at a carrier could not be written down'

/** Undefined when the vendor does not say. */
export function readBalance({ balance }: Pick<Vendor, 'balance'>, answer: Called): Balance | undefined {
  if (!balance || answer.kind !== 'answered' || answer.status < 200 || answer.status > 299) return undefined
  const scope = scopeOf(answer)
  const amount = amountOf(readText(scope, balance.amount))
  return amount === undefined ? undefined : { amount, currency: words(readText(scope, balance.currency)) }
}
