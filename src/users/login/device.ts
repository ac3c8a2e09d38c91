import type { Db, Tx } from '../../db/connect.ts'
import type { Client } from '../deps.ts'
import { deleteUnseen, isDevice, findDeviceOwner, noteDevice } from './device-store.ts'
import { hashToken, LONGEST_TOKEN, newToken } from './token.ts'

/** A device that nobody logged in with for so long is a stranger again. */
export const DEVICE_DAYS = 180
/** A person is known on no more devices than this; the one unseen for longest is forgotten. */
const MOST_DEVICES = 20

/** The device one of these accounts has logged in with before, as its hash; undefined for any other. */
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
 * Notes that somebody has come in on this device, and returns the secret for its cookie. One of ours stays as it is, so
 * that people who share a browser are all known there; one that was never given out here may have been planted.
 */
export async function keepDevice(tx: Tx, user_id: string, given: string | null): Promise<string> {
  const is_ours = given !== null && given.length <= LONGEST_TOKEN && (await isDevice(tx, hashToken(given)))
  const token = is_ours ? given : newToken()
  await noteDevice(tx, user_id, hashToken(token))
  await deleteUnseen(tx, user_id, MOST_DEVICES)
  return token
}
