import ipaddr from 'ipaddr.js'
import type { Db, Tx } from '../../db/connect.ts'
import { Refusal } from '../../values/refusal.ts'
import { DEVICE_DAYS } from './device.ts'
import { hashToken } from './token.ts'
import { countTry, forgiveAll, forgiveTry } from './attempts-store.ts'

type Limit = { tries: number; window_s: number }

/** From one network at one account: guessing is hopeless, and a person who mistypes comes in. */
const STRANGER: Limit = { tries: 10, window_s: 15 * 60 }
/** From one network, at all accounts. Offices share an address, so it is generous. */
const NETWORK: Limit = { tries: 50, window_s: 10 * 60 }
/** From all networks at one account. More than one network may do alone, which so cannot shut out the others. */
const ACCOUNT: Limit = { tries: 100, window_s: 60 * 60 }
/** Codes of the second factor, from all networks: whoever gets so far has the password, and codes are short. */
const CODES: Limit = { tries: 30, window_s: 24 * 60 * 60 }
/** On a device the person has logged in with before. */
const DEVICE: Limit = { tries: 10, window_s: 15 * 60 }
/** The same, without ever being right: then the device was stolen, and counts as a stranger. */
const DEVICE_LIFE: Limit = { tries: 100, window_s: DEVICE_DAYS * 24 * 60 * 60 }
/** By somebody who is logged in, and is asked for the password once more. */
const LOGGED_IN: Limit = { tries: 10, window_s: 15 * 60 }

/** Who tries: for which account, whether it exists or not, from where, and on which device they are known. */
export type Trier = { account: string; address: string; device: { user_id: string; token_hash: Buffer } | undefined }

/** What to call when the try was right. */
export type Forgive = () => Promise<void>

/** A try that may be made; a device that has guessed for too long is no longer a known one. */
export type Admitted = { forgive: Forgive; on_known_device: boolean }

/**
 * Counts a try before it is made, so that a hundred at once are a hundred. The counters are in the database and hold
 * over all processes. Strangers cannot use up the tries of a known device.
 */
export async function admitTry(deps: { db: Db }, trier: Trier): Promise<Admitted> {
  const forgive = await admitDevice(deps, trier)
  if (forgive) return { forgive, on_known_device: true }
  return { forgive: await admitStranger(deps, trier), on_known_device: false }
}

/** Counts somebody who comes back from a provider: each makes us ask it. */
export async function admitReturn(deps: { db: Db }, address: string): Promise<Forgive> {
  const key = keyOf('return', networkOf(address))
  await count(deps.db, key, NETWORK)
  return () => forgiveTry(deps.db, key)
}

/** Counts a code of the second factor, on top of the try it belongs to. Those of a known device are few already. */
export async function admitCode(
  deps: { db: Db },
  { on_known_device }: Pick<Admitted, 'on_known_device'>,
  user_id: string,
): Promise<Forgive> {
  if (on_known_device) return async () => {}
  const key = keyOf('codes', user_id)
  await count(deps.db, key, CODES)
  return () => forgiveAll(deps.db, key)
}

/** Counts a password asked of somebody with a session. */
export async function admitLoggedIn(deps: { db: Db }, user_id: string): Promise<Forgive> {
  const key = keyOf('logged in', user_id)
  await count(deps.db, key, LOGGED_IN)
  return () => forgiveAll(deps.db, key)
}

/** Whether something that is good once is used for the first time within the window. Rolled back, it was not used. */
export async function isFirstUse(tx: Tx, kind: string, parts: string[], window_s: number): Promise<boolean> {
  return (await countTry(tx, keyOf(kind, ...parts), window_s)).tries === 1
}

async function admitDevice({ db }: { db: Db }, { device }: Trier): Promise<Forgive | undefined> {
  if (!device) return undefined
  const name = [device.user_id, device.token_hash.toString('hex')]
  const [life_key, key] = [keyOf('device life', ...name), keyOf('device', ...name)]
  await count(db, key, DEVICE)
  const { tries } = await countTry(db, life_key, DEVICE_LIFE.window_s)
  if (tries > DEVICE_LIFE.tries) return undefined
  return async () => {
    await forgiveAll(db, key)
    await forgiveAll(db, life_key)
  }
}

async function admitStranger({ db }: { db: Db }, { account, address }: Trier): Promise<Forgive> {
  const network = networkOf(address)
  const email = account.trim().toLowerCase()
  const keys = [keyOf('network', network), keyOf('stranger', email, network), keyOf('account', email)] as const
  await count(db, keys[0], NETWORK)
  await count(db, keys[1], STRANGER)
  await count(db, keys[2], ACCOUNT)
  return async () => {
    await forgiveTry(db, keys[0])
    await forgiveAll(db, keys[1])
    await forgiveTry(db, keys[2])
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

/** Written so that no spelling of one part can be taken for another. */
function keyOf(kind: string, ...parts: string[]): Buffer {
  return hashToken(JSON.stringify([kind, ...parts]))
}

async function count(db: Db, key: Buffer, limit: Limit): Promise<void> {
  const { tries, remaining_s } = await countTry(db, key, limit.window_s)
  if (tries <= limit.tries) return
  throw new Refusal('too_many_requests', 'Too many tries. Please wait a while.', [], Math.max(1, remaining_s))
}
