import { makeAfricasTalking } from '../carriers/africastalking/africastalking.ts'
import { watchBalance } from '../carriers/balance-watch.ts'
import { makeReloadly } from '../carriers/reloadly/reloadly.ts'
import { makeTopupSimulator } from '../carriers/simulator/topup-simulator.ts'
import { NETWORKS, type Network, type TopupCarrier } from '../carriers/topup-carrier.ts'
import { makeVtpass } from '../carriers/vtpass/vtpass.ts'
import type { Db } from '../db/connect.ts'
import type { Meters } from '../observe/meters.ts'
import type { Log } from '../values/log.ts'
import type { AirtimeSettings, VendorSettings } from './settings.ts'

/** The names of the vendors that sell airtime of a network, in the order in which they are called. */
export type VendorsOf = (buyer: { mode: 'live' | 'test' }, network: Network) => readonly string[]

/** The vendor of test organisations. No configured name has a colon. */
const TEST_VENDOR = 'test:simulator'

export type Vendors = {
  by_name: ReadonlyMap<string, TopupCarrier>
  vendorsOf: VendorsOf
  stop(): Promise<void>
}

export function makeVendors(deps: { db: Db }, settings: AirtimeSettings): Vendors {
  const by_name = new Map<string, TopupCarrier>()
  for (const vendor of settings.vendors) by_name.set(vendor.name, makeVendor(deps, vendor))
  by_name.set(TEST_VENDOR, makeTopupSimulator(deps, { name: TEST_VENDOR }))
  const all = settings.vendors.map(({ name }) => name)
  const sellers = new Map<Network, string[]>()
  for (const network of NETWORKS) {
    const wanted = settings.routes.find((route) => route.network === network)?.vendors ?? all
    sellers.set(
      network,
      wanted.filter((name) => by_name.get(name)?.networks.includes(network)),
    )
  }
  return {
    by_name,
    vendorsOf: ({ mode }, network) => (mode === 'test' ? [TEST_VENDOR] : (sellers.get(network) ?? [])),
    async stop() {
      await Promise.all([...by_name.values()].map((vendor) => vendor.stop()))
    },
  }
}

function makeVendor(deps: { db: Db }, vendor: VendorSettings): TopupCarrier {
  switch (vendor.kind) {
    case 'simulator':
      return makeTopupSimulator(deps, vendor)
    case 'vtpass':
      return makeVtpass(vendor)
    case 'reloadly':
      return makeReloadly(vendor)
    case 'africastalking':
      return makeAfricasTalking(vendor)
  }
}

export type Balances = { note: (vendor: string, balance: bigint) => void; stop(): Promise<void> }

/** Watches our balances at the vendors. */
export function watchBalances(
  { log, meters, vendors }: { log: Log; meters: Meters; vendors: ReadonlyMap<string, TopupCarrier> },
  settings: readonly VendorSettings[],
): Balances {
  const watched = settings.flatMap((one) => (one.kind === 'simulator' ? [] : [one]))
  const watches = new Map(
    watched.map(({ name: vendor, low_balance }) => {
      const measure = (balance: number, is_low: boolean): void => {
        meters.vendor_balance.set({ vendor }, balance)
        meters.vendor_balance_low.set({ vendor }, is_low ? 1 : 0)
      }
      const read = async (): Promise<bigint | undefined> => vendors.get(vendor)?.balance()
      return [vendor, watchBalance({ log, measure }, { vendor, low_balance }, read)]
    }),
  )
  return {
    note: (vendor, balance) => watches.get(vendor)?.note(balance),
    async stop() {
      await Promise.all([...watches.values()].map((watch) => watch.stop()))
    },
  }
}
