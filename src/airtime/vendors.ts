import { makeAfricasTalking } from '../carriers/africastalking/africastalking.ts'
import { makeReloadly } from '../carriers/reloadly/reloadly.ts'
import { makeTopupSimulator } from '../carriers/simulator/topup-simulator.ts'
import { NETWORKS, type Network, type TopupCarrier } from '../carriers/topup-carrier.ts'
import { makeVtpass } from '../carriers/vtpass/vtpass.ts'
import type { Db } from '../db/connect.ts'
import type { AirtimeSettings, VendorSettings } from './settings.ts'

/** Who sells airtime of a network, in the order they are asked; the names, as they are stored with a purchase. */
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

  const everyone = settings.vendors.map(({ name }) => name)
  const sellers = new Map<Network, string[]>()
  for (const network of NETWORKS) {
    const wanted = settings.routes.find((route) => route.network === network)?.vendors ?? everyone
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
