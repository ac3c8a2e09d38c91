import type { Db, Tx } from '../db/connect.ts'

export type LinkRow = { user_id: string; expires_datetime: string; used: boolean; expired: boolean; enters: boolean }

export async function insertLink(
  tx: Tx,
  user_id: string,
  token_hash: Buffer,
  hours: number,
  enters = false,
): Promise<string> {
  const [row] = await tx<{ expires_datetime: string }[]>`
    insert into user_links (token_hash, user_id, expires_datetime, enters)
    values (${token_hash}, ${user_id}, now() + ${hours} * interval '1 hour', ${enters})
    returning expires_datetime`
  return row?.expires_datetime ?? ''
}

export async function findLink(db: Db, token_hash: Buffer): Promise<LinkRow | undefined> {
  const [row] = await db<LinkRow[]>`
    select user_id, expires_datetime, enters, used_datetime is not null as used, expires_datetime <= now() as expired
    from user_links where token_hash = ${token_hash}`
  return row
}

/** Consumes a link; of several concurrent calls exactly one returns true. */
export async function takeLink(tx: Tx, token_hash: Buffer): Promise<boolean> {
  const taken = await tx`
    update user_links set used_datetime = now()
    where token_hash = ${token_hash} and used_datetime is null and expires_datetime > now()`
  return taken.count === 1
}

/** Invalidates the unused links of a user. */
export async function dropLinks(tx: Tx, user_id: string): Promise<void> {
  await tx`delete from user_links where user_id = ${user_id} and used_datetime is null`
}
