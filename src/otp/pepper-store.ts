import type { Db, Tx } from '../db/connect.ts'

/** The secret of that name; stores `fresh` if there is none. */
export async function keepSecret(db: Db | Tx, name: string, fresh: string): Promise<string> {
  await db`insert into secrets (name, value) values (${name}, ${fresh}) on conflict (name) do nothing`
  const [row] = await db<{ value: string }[]>`select value from secrets where name = ${name}`
  if (!row) throw new Error(`the secret ${name} is gone`)
  return row.value
}

/** Keys that outlive a pepper, sealed under the present one. */
export const KEPT_KEYS = 'kept_keys'
/** Identifies the pepper that seals, without containing it, and says since when. */
const MARK = 'pepper_mark'

export async function findSecret(sql: Db | Tx, name: string): Promise<string | undefined> {
  const [row] = await sql<{ value: string }[]>`select value from secrets where name = ${name}`
  return row?.value
}

export async function storeSecret(tx: Tx, name: string, value: string): Promise<void> {
  await tx`
    insert into secrets (name, value) values (${name}, ${value})
    on conflict (name) do update set value = excluded.value, created_datetime = now()`
}

/** The pepper that seals, and for how many hours it has. */
export async function readMark(sql: Db | Tx): Promise<{ mark: string; hours: number } | undefined> {
  const [row] = await sql<{ mark: string; hours: number }[]>`
    select value as mark, extract(epoch from now() - created_datetime)::float8 / 3600 as hours
    from secrets where name = ${MARK}`
  return row
}

/** For a database whose pepper is lost: the next start begins with another. */
export async function forgetPepper(tx: Tx): Promise<void> {
  await tx`delete from secrets where name in (${MARK}, ${KEPT_KEYS})`
}

/** Stores which pepper seals, if none is stored yet. */
export async function keepMark(sql: Db | Tx, mark: string): Promise<void> {
  await keepSecret(sql, MARK, mark)
}

/** Locks the mark until the end of the transaction, and returns it. */
export async function lockMark(tx: Tx): Promise<string | undefined> {
  const [row] = await tx<{ value: string }[]>`select value from secrets where name = ${MARK} for update`
  return row?.value
}

export async function storeMark(tx: Tx, mark: string): Promise<void> {
  await storeSecret(tx, MARK, mark)
}
