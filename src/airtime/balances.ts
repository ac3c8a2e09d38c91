import type { TopupCarrier } from '../carriers/topup-carrier.ts'
import type { Meters } from '../observe/meters.ts'
import type { Log } from '../values/log.ts'
import { moneyFromNumber, moneyToNumber } from '../values/money.ts'
import type { VendorSettings } from './settings.ts'

export type Balances = {
  note: (vendor: string, balance: bigint) => void
  stop(): Promise<void>
}

const EVERY_MS = 300_000
const LOOK_EVERY_MS = 5_000

/** Watches what is left of our money at the vendors, and warns while it is low. */
export function watchBalances(
  deps: { log: Log; meters: Meters; vendors: ReadonlyMap<string, TopupCarrier> },
  settings: readonly VendorSettings[],
): Balances {
  const watched = settings.flatMap((vendor) => (vendor.kind === 'simulator' ? [] : [vendor]))
  const limits = new Map(watched.map(({ name, low_balance }) => [name, moneyFromNumber(low_balance) ?? 0n]))
  const low_now = new Set<string>()

  function note(vendor: string, balance: bigint): void {
    const limit = limits.get(vendor)
    if (limit === undefined) return
    const low = balance < limit
    deps.meters.vendor_balance.set({ vendor }, moneyToNumber(balance))
    deps.meters.vendor_balance_low.set({ vendor }, low ? 1 : 0)
    if (low && !low_now.has(vendor)) {
      const details = { vendor, balance: moneyToNumber(balance), low_balance: moneyToNumber(limit) }
      deps.log.warn(details, 'the balance at an airtime vendor is low')
    }
    if (low) low_now.add(vendor)
    else low_now.delete(vendor)
  }

  const asked = new Map<string, number>()

  /** Asks those who have not been asked for a while; one that did not say is asked again at the next look. */
  async function look(): Promise<void> {
    const due = watched.filter(({ name }) => Date.now() - (asked.get(name) ?? -Infinity) >= EVERY_MS)
    await Promise.all(
      due.map(async ({ name }) => {
        const balance = await deps.vendors.get(name)?.balance()
        if (balance === undefined) return
        asked.set(name, Date.now())
        note(name, balance)
      }),
    )
  }

  function warn(fault: unknown): void {
    deps.log.warn({ err: fault }, 'asking vendors for our balance failed')
  }

  let looking: Promise<void> | undefined
  function glance(): void {
    looking ??= look()
      .catch(warn)
      .finally(() => {
        looking = undefined
      })
  }
  glance()
  const timer = setInterval(glance, LOOK_EVERY_MS)

  return {
    note,
    async stop() {
      clearInterval(timer)
      await looking
    },
  }
}
