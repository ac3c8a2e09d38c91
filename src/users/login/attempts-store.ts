import type { Db, Tx } from '../../db/connect.ts'

/** Counts an attempt and returns the number of attempts in the current window and its remaining time. */
export async function countAttempt(
  sql: Db | Tx,
  key: Buffer,
  window_s: number,
): Promise<{ attempts: number; remaining_s: number }> {
  const [row] = await sql<{ attempts: number; remaining_s: number }[]>`
    insert into login_tries as known (key, tries, until_datetime)
    values (${key}, 1, now() + ${window_s} * interval '1 s')
    on conflict (key) do update set
      tries = case when known.until_datetime <= now() then 1 else known.tries + 1 end,
      until_datetime = case
        when known.until_datetime <= now() then now() + ${window_s} * interval '1 s' else known.until_datetime
      end
    returning tries as attempts, extract(epoch from until_datetime - now())::float8 as remaining_s`
  return row ?? { attempts: 1, remaining_s: window_s }
}

/** Reverts the count of an attempt that succeeded. */
export async function uncountAttempt(db: Db, key: Buffer): Promise<void> {
  await db`update login_tries set tries = tries - 1 where key = ${key} and tries > 0`
}

export async function resetAttempts(db: Db, key: Buffer): Promise<void> {
  await db`delete from login_tries where key = ${key}`
}
