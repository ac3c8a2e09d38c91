import ipaddr from 'ipaddr.js'
import type { Db } from '../db/connect.ts'
import { Refusal } from '../values/refusal.ts'
import { hashToken } from './token.ts'
import { countTry, forgiveAll, forgiveTry } from './tries-store.ts'

/** Wrong passwords and codes, per account: guessing is hopeless, and a person who mistypes comes in. */
const ACCOUNT = { tries: 10, window_s: 15 * 60 }
/** From one network, over all accounts. Offices share an address, so it is generous. */
const ADDRESS = { tries: 50, window_s: 10 * 60 }

/**
 * Counts a try before it is made, so that a hundred at once are a hundred. The counters are in the database and hold
 * over all processes. Returns what to call when it was right.
 */
export async function admitTry(deps: { db: Db }, account: string, address: string): Promise<() => Promise<void>> {
  const address_key = hashToken(`address ${networkOf(address)}`)
  await count(deps.db, address_key, ADDRESS)
  const account_key = hashToken(`account ${account.trim().toLowerCase()}`)
  await count(deps.db, account_key, ACCOUNT)
  return async () => {
    await forgiveTry(deps.db, address_key)
    await forgiveAll(deps.db, account_key)
  }
}

/** An address, but of IPv6 the /64 it is in: whoever has one has all of them. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address) // IPv4 in IPv6 is IPv4
  return parsed instanceof ipaddr.IPv6
    ? `${parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : parsed.toString()
}

async function count(db: Db, key: Buffer, limit: { tries: number; window_s: number }): Promise<void> {
  const { tries, remaining_s } = await countTry(db, key, limit.window_s)
  if (tries <= limit.tries) return
  throw new Refusal('too_many_requests', 'Too many tries. Please wait a while.', [], Math.max(1, remaining_s))
}
