import { Type, type Static } from '../values/schema/type.ts'
import { AfricasTalkingSettings } from '../carriers/africastalking/schema.ts'
import { ReloadlySettings } from '../carriers/reloadly/schema.ts'
import { TopupSimulatorSettings } from '../carriers/simulator/schema.ts'
import { NETWORKS, type Network } from '../carriers/topup-carrier.ts'
import { VtpassSettings } from '../carriers/vtpass/schema.ts'

export const VendorSettings = Type.Union([
  TopupSimulatorSettings,
  VtpassSettings,
  ReloadlySettings,
  AfricasTalkingSettings,
])
export type VendorSettings = Static<typeof VendorSettings>

/** The part of the configuration file about airtime. */
export const AirtimeSettings = Type.Object(
  {
    /** The simulator by default, but only in the sandbox: a live system without vendors sells none. */
    vendors: Type.Array(VendorSettings, {
      minItems: 1,
      maxItems: 100,
      default: [{ kind: 'simulator', name: 'simulator' }],
    }),
    routes: Type.Array(
      Type.Object(
        {
          network: Type.Unsafe<Network>({ type: 'string', enum: [...NETWORKS] }),
          vendors: Type.Array(Type.String(), { minItems: 1, maxItems: 100 }),
        },
        { additionalProperties: false },
      ),
      { maxItems: NETWORKS.length, default: [] },
    ),
    min_amount: Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000_000, default: 50 }),
    max_amount: Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000_000, default: 50_000 }),
    duplicate_minutes: Type.Number({ minimum: 0, maximum: 1_440, default: 5 }),
    refuse_network_mismatch: Type.Boolean({ default: false }),
    requery_delays_s: Type.Array(Type.Number({ minimum: 0.1, maximum: 86_400 }), {
      minItems: 1,
      maxItems: 100,
      default: [10, 30, 60, 300, 900, 3_600],
    }),
    review_after_h: Type.Number({ minimum: 0.001, maximum: 720, default: 24 }),
  },
  { additionalProperties: false, default: {} },
)
export type AirtimeSettings = Static<typeof AirtimeSettings>

/** Checks beyond the schema: unique names, routes to known vendors, one route per network, min below max. */
export function airtimeFaults({ vendors, routes, min_amount, max_amount }: AirtimeSettings): string[] {
  const faults: string[] = []
  const names = new Set<string>()
  for (const [n, { name }] of vendors.entries()) {
    if (names.has(name)) faults.push(`airtime.vendors.${n}.name: ${name} is used twice`)
    names.add(name)
  }
  const networks = new Set<string>()
  for (const [n, route] of routes.entries()) {
    if (networks.has(route.network)) faults.push(`airtime.routes.${n}.network: ${route.network} has two routes`)
    networks.add(route.network)
    for (const vendor of route.vendors.filter((name) => !names.has(name))) {
      faults.push(`airtime.routes.${n}.vendors: there is no vendor ${vendor}`)
    }
  }
  if (min_amount > max_amount) faults.push('airtime.min_amount: must not be above max_amount')
  return faults
}
