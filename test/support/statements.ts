import type { Db } from '../../src/db/connect.ts'

export type Asked = { text: string; values: unknown[] }
type Ask = (asked: Asked) => Promise<{ rows: unknown[]; rowCount: number }>

/** Puts something between a database and who asks it, while `work` runs. Transactions go their own way. */
export async function between(
  { pool }: Db,
  answer: (asked: Asked, ask: Ask) => ReturnType<Ask>,
  work: () => Promise<unknown>,
): Promise<void> {
  const ask = pool.query.bind(pool)
  pool.query = ((asked: Asked) => answer(asked, ask)) as unknown as typeof pool.query
  try {
    await work()
  } finally {
    pool.query = ask
  }
}
