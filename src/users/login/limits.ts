import ipaddr from 'ipaddr.js'
import type { Db, Tx } from '../../db/connect.ts'
import { Refusal } from '../../values/refusal.ts'
import { DEVICE_DAYS } from './device.ts'
import { hashToken } from './token.ts'
import { countAttempt, resetAttempts, uncountAttempt } from './attempts-store.ts'

type Limit = { attempts: number; window_s: number }

/** Per network and account: enough for typing errors, far too few for guessing. */
const STRANGER: Limit = { attempts: 10, window_s: 15 * 60 }
/** Per network, for all accounts. Generous, because offices share an address. */
const NETWORK: Limit = { attempts: 50, window_s: 10 * 60 }
/** Per account, from all networks. More than one network is allowed, so that one network cannot lock the account. */
const ACCOUNT: Limit = { attempts: 100, window_s: 60 * 60 }
/** Second-factor codes per account, from all networks: codes are short, and the attacker already has the password. */
const CODES: Limit = { attempts: 30, window_s: 24 * 60 * 60 }
/** Per device that the user has logged in with before. */
const DEVICE: Limit = { attempts: 10, window_s: 15 * 60 }
/** Failed attempts after which a known device counts as unknown, because it was probably stolen. */
const DEVICE_LIFE: Limit = { attempts: 100, window_s: DEVICE_DAYS * 24 * 60 * 60 }
/** Per logged-in user who is asked for the password again. */
const LOGGED_IN: Limit = { attempts: 10, window_s: 15 * 60 }

/** A login attempt: the account (existing or not), the client address, and the known device if there is one. */
export type LoginAttempt = {
  account: string
  address: string
  device: { user_id: string; token_hash: Buffer } | undefined
}

/** Resets the counters after a successful attempt. */
export type Reset = () => Promise<void>

/** An attempt within the limits. `on_known_device` is false for a device with too many failed attempts. */
export type Admitted = { reset: Reset; on_known_device: boolean }

/**
 * Counts an attempt before it is made, so that concurrent attempts are all counted. The counters are in the database and
 * apply across all processes. Attempts from unknown devices do not count against a known device.
 */
export async function admitAttempt(deps: { db: Db }, attempt: LoginAttempt): Promise<Admitted> {
  const reset = await admitDevice(deps, attempt)
  if (reset) return { reset, on_known_device: true }
  return { reset: await admitUnknownDevice(deps, attempt), on_known_device: false }
}

/** Counts a return from a single sign-on provider, because each causes requests to the provider. */
export async function admitReturn(deps: { db: Db }, address: string): Promise<Reset> {
  const key = keyOf('return', networkOf(address))
  await count(deps.db, key, NETWORK)
  return () => uncountAttempt(deps.db, key)
}

/** Counts a request for a passkey challenge, because each stores a row. */
export async function admitPasskey(deps: { db: Db }, address: string): Promise<void> {
  await count(deps.db, keyOf('passkey', networkOf(address)), NETWORK)
}

/** Reverts the count of a challenge that was answered by a login. */
export async function creditPasskey(deps: { db: Db }, address: string): Promise<void> {
  await uncountAttempt(deps.db, keyOf('passkey', networkOf(address)))
}

/** Counts a second-factor code in addition to its attempt; not on a known device, whose attempts are limited already. */
export async function admitCode(
  deps: { db: Db },
  { on_known_device }: Pick<Admitted, 'on_known_device'>,
  user_id: string,
): Promise<Reset> {
  if (on_known_device) return async () => {}
  const key = keyOf('codes', user_id)
  await count(deps.db, key, CODES)
  return () => resetAttempts(deps.db, key)
}

/** Counts a password check of a logged-in user. */
export async function admitLoggedIn(deps: { db: Db }, user_id: string): Promise<Reset> {
  const key = keyOf('logged in', user_id)
  await count(deps.db, key, LOGGED_IN)
  return () => resetAttempts(deps.db, key)
}

/** Whether a single-use value is used for the first time within the window. A rollback makes it unused again. */
export async function isFirstUse(tx: Tx, kind: string, parts: string[], window_s: number): Promise<boolean> {
  return (await countAttempt(tx, keyOf(kind, ...parts), window_s)).attempts === 1
}

async function admitDevice({ db }: { db: Db }, { device }: LoginAttempt): Promise<Reset | undefined> {
  if (!device) return undefined
  const name = [device.user_id, device.token_hash.toString('hex')]
  const [life_key, key] = [keyOf('device life', ...name), keyOf('device', ...name)]
  await count(db, key, DEVICE)
  const { attempts } = await countAttempt(db, life_key, DEVICE_LIFE.window_s)
  if (attempts > DEVICE_LIFE.attempts) return undefined
  return async () => {
    await resetAttempts(db, key)
    await resetAttempts(db, life_key)
  }
}

async function admitUnknownDevice({ db }: { db: Db }, { account, address }: LoginAttempt): Promise<Reset> {
  const network = networkOf(address)
  const email = account.trim().toLowerCase()
  const keys = [keyOf('network', network), keyOf('guest', email, network), keyOf('account', email)] as const
  await count(db, keys[0], NETWORK)
  await count(db, keys[1], STRANGER)
  await count(db, keys[2], ACCOUNT)
  return async () => {
    await uncountAttempt(db, keys[0])
    await resetAttempts(db, keys[1])
    await uncountAttempt(db, keys[2])
  }
}

/** The address, or the /64 network of an IPv6 address: one client has a whole /64. */
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

/** JSON keeps the parts apart, so that different parts never give the same key. */
function keyOf(kind: string, ...parts: string[]): Buffer {
  return hashToken(JSON.stringify([kind, ...parts]))
}

async function count(db: Db, key: Buffer, limit: Limit): Promise<void> {
  const { attempts, remaining_s } = await countAttempt(db, key, limit.window_s)
  if (attempts <= limit.attempts) return
  throw new Refusal('too_many_requests', 'Too many attempts. Please try again later.', [], Math.max(1, remaining_s))
}
