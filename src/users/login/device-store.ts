import type { Db, Tx } from '../../db/connect.ts'

/** The user who logged in with this device most recently. */
export async function findDeviceOwner(
  db: Db,
  user_ids: readonly string[],
  token_hash: Buffer,
  days: number,
): Promise<string | undefined> {
  const [found] = await db<{ user_id: string }[]>`
    select user_id from user_devices
    where user_id = any (${user_ids}::uuid[]) and token_hash = ${token_hash}
      and seen_datetime > now() - ${days} * interval '1 day'
    order by seen_datetime desc limit 1`
  return found?.user_id
}

/** Whether any user has logged in with the device. */
export async function isDevice(tx: Tx, token_hash: Buffer): Promise<boolean> {
  const found = await tx`select 1 from user_devices where token_hash = ${token_hash} limit 1`
  return found.count === 1
}

export async function noteDevice(tx: Tx, user_id: string, token_hash: Buffer): Promise<void> {
  await tx`
    insert into user_devices (user_id, token_hash) values (${user_id}, ${token_hash})
    on conflict (user_id, token_hash) do update set seen_datetime = excluded.seen_datetime`
}

/** Keeps the most recently used devices of a user. */
export async function deleteUnseen(tx: Tx, user_id: string, kept: number): Promise<void> {
  await tx`
    delete from user_devices
    where user_id = ${user_id} and token_hash in (
      select token_hash from user_devices where user_id = ${user_id}
      order by seen_datetime desc, token_hash offset ${kept}
    )`
}

export async function deleteDevices(tx: Tx, user_id: string): Promise<void> {
  await tx`delete from user_devices where user_id = ${user_id}`
}
