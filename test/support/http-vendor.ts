import { DIALECTS } from '../../src/carriers/http/stand-in/dialects.ts'
import { startStandIn, type StandIn, type Treatment } from '../../src/carriers/http/stand-in/stand-in.ts'
import type { Sent } from '../../src/carriers/http/stand-in/dialect.ts'

export const ARRIVES: Treatment = { made: 'taken', ends: ['delivered'] }

/** A stand-in for a vendor on a free port. */
export async function startVendor(preset: string, treat: (sent: Sent) => Treatment = () => ARRIVES): Promise<StandIn> {
  const dialect = DIALECTS[preset]
  if (!dialect) throw new Error(`nobody speaks as ${preset} does`)
  return startStandIn({ name: preset, dialect, port: 0, host: '127.0.0.1' }, treat)
}

/** A route to carriers, in this order. */
export function routeTo(...carriers: string[]): object {
  return { name: 'line', channel: 'sms', carriers, failover_after_s: 1 }
}
