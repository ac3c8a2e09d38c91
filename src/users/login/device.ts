import type { Db, Tx } from '../../db/connect.ts'
import type { Client } from '../deps.ts'
import { deleteUnseen, isDevice, findDeviceOwner, noteDevice } from './device-store.ts'
import { hashToken, LONGEST_TOKEN, newToken } from './token.ts'

/** Days without a login after which a device is no longer known. */
export const DEVICE_DAYS = 180
/** Maximum number of known devices per user; a new one replaces the least recently used. */
const MOST_DEVICES = 20

/** The device of the cookie, if one of these users has logged in with it before. */
export async function knownDevice(
  { db }: { db: Db },
  users: readonly { id: string }[],
  { device_token }: Pick<Client, 'device_token'>,
): Promise<{ user_id: string; token_hash: Buffer } | undefined> {
  if (device_token === null || device_token.length > LONGEST_TOKEN) return undefined
  const token_hash = hashToken(device_token)
  const ids = users.map(({ id }) => id)
  const user_id = await findDeviceOwner(db, ids, token_hash, DEVICE_DAYS)
  return user_id === undefined ? undefined : { user_id, token_hash }
}

/**
 * Registers a login on this device and returns the secret for its cookie. A known secret is kept, so that users who share
 * a browser are all known there; an unknown one is replaced, because an attacker may have planted it.
 */
export async function keepDevice(tx: Tx, user_id: string, given: string | null): Promise<string> {
  const is_ours = given !== null && given.length <= LONGEST_TOKEN && (await isDevice(tx, hashToken(given)))
  const token = is_ours ? given : newToken()
  await noteDevice(tx, user_id, hashToken(token))
  await deleteUnseen(tx, user_id, MOST_DEVICES)
  return token
}
