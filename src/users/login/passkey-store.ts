import type { Db, Tx } from '../../db/connect.ts'

export type PasskeyRow = {
  user_id: string
  id: string
  credential_id: Buffer
  public_key: Buffer
  rp_id: string
  name: string
  transports: string[]
  backed_up: boolean
  used_datetime: string | null
  created_datetime: string
}

function columns(sql: Db | Tx) {
  return sql`user_id, id, credential_id, public_key, rp_id, name, transports, backed_up, used_datetime, created_datetime`
}

export async function listPasskeys(sql: Db | Tx, user_id: string): Promise<PasskeyRow[]> {
  return sql<PasskeyRow[]>`select ${columns(sql)} from passkeys where user_id = ${user_id} order by id`
}

export async function findPasskey(db: Db, credential_id: Buffer): Promise<PasskeyRow | undefined> {
  const [row] = await db<PasskeyRow[]>`select ${columns(db)} from passkeys where credential_id = ${credential_id}`
  return row
}

/** False if the credential is already registered. */
export async function insertPasskey(
  tx: Tx,
  passkey: Omit<PasskeyRow, 'used_datetime' | 'created_datetime'> & { counter: number },
): Promise<boolean> {
  const added = await tx`
    insert into passkeys (user_id, id, credential_id, public_key, rp_id, name, counter, transports, backed_up)
    values (${passkey.user_id}, ${passkey.id}, ${passkey.credential_id}, ${passkey.public_key}, ${passkey.rp_id},
      ${passkey.name}, ${passkey.counter}, ${passkey.transports}::text[], ${passkey.backed_up})
    on conflict do nothing`
  return added.count === 1
}

/** Stores a use. False if the counter did not increase: then another copy of the key was used, also concurrently. */
export async function advanceCounter(
  db: Db,
  { user_id, id }: Pick<PasskeyRow, 'user_id' | 'id'>,
  counter: number,
  backed_up: boolean,
): Promise<boolean> {
  const used = await db`
    update passkeys set counter = ${counter}, backed_up = ${backed_up}, used_datetime = now()
    where user_id = ${user_id} and id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))`
  return used.count === 1
}

/** The former name; undefined if the user has no such passkey. */
export async function renamePasskey(
  tx: Tx,
  { user_id, id }: Pick<PasskeyRow, 'user_id' | 'id'>,
  name: string,
): Promise<string | undefined> {
  const [row] = await tx<{ name: string }[]>`
    update passkeys set name = ${name}
    from (select name from passkeys where user_id = ${user_id} and id = ${id} for update) as former
    where user_id = ${user_id} and id = ${id} returning former.name`
  return row?.name
}

/** The name; undefined if the user has no such passkey. */
export async function deletePasskey(
  tx: Tx,
  { user_id, id }: Pick<PasskeyRow, 'user_id' | 'id'>,
): Promise<string | undefined> {
  const [row] = await tx<{ name: string }[]>`
    delete from passkeys where user_id = ${user_id} and id = ${id} returning name`
  return row?.name
}

/** Locks the user; false if the passkey was removed since it was verified, or the user may no longer sign in with it. */
export async function lockPasskeyUser(tx: Tx, { user_id, id }: Pick<PasskeyRow, 'user_id' | 'id'>): Promise<boolean> {
  const found = await tx`
    select 1 from users join passkeys on user_id = users.id
    where users.id = ${user_id} and passkeys.id = ${id} and disabled_datetime is null and issuer is null
    for update of users`
  return found.count === 1
}
