import type { Db, Tx } from '../db/connect.ts'

/** The secret of that name; stores `fresh` if there is none. */
export async function keepSecret(db: Db | Tx, name: string, fresh: string): Promise<string> {
  await db`insert into secrets (name, value) values (${name}, ${fresh}) on conflict (name) do nothing`
  const [row] = await db<{ value: string }[]>`select value from secrets where name = ${name}`
  if (!row) throw new Error(`the secret ${name} is gone`)
  return row.value
}
