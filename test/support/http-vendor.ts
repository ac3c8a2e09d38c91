import { DIALECTS } from '../../src/emulators/vendor/dialects.ts'
import { startVendorEmulator, type VendorEmulator, type Treatment } from '../../src/emulators/vendor/vendor.ts'
import type { Sent } from '../../src/emulators/vendor/dialect.ts'

export const ARRIVES: Treatment = { made: 'taken', ends: ['delivered'] }

/** The emulator of a vendor on a free port. */
export async function startVendor(
  preset: string,
  treat: (sent: Sent) => Treatment = () => ARRIVES,
): Promise<VendorEmulator> {
  const dialect = DIALECTS[preset]
  if (!dialect) throw new Error(`there is no emulator for ${preset}`)
  return startVendorEmulator({ name: preset, dialect, port: 0, host: '127.0.0.1' }, treat)
}

/** A route to carriers, in this order. */
export function routeTo(...carriers: string[]): object {
  return { name: 'line', channel: 'sms', carriers, failover_after_s: 1 }
}
