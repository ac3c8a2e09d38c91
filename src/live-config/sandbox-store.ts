import type { Db } from '../db/connect.ts'
import { LOCKS } from '../db/locks.ts'
import { transaction } from '../db/transaction.ts'

/** In milliseconds since 1970; of a service that is live, both are in the past, and equal if it never was a sandbox. */
export type SandboxPeriod = { began_ms: number; ended_ms: number }

/**
 * Records that a process starts in the sandbox, or live, and returns the period of the sandbox before. Only called while no
 * process runs in the other mode.
 */
export async function recordMode(db: Db, sandbox: boolean): Promise<SandboxPeriod> {
  if (sandbox) {
    // Without a row it is not known since when: all that was accepted before counts.
    await db`
      insert into sandbox_period (began) values ('-infinity')
      on conflict (only_row) do update set began = now(), ended = null where sandbox_period.ended is not null`
  } else {
    await db`
      insert into sandbox_period (began, ended) values (now(), now())
      on conflict (only_row) do update set ended = now() where sandbox_period.ended is null`
  }
  const [row] = await db<SandboxPeriod[]>`
    select coalesce(extract(epoch from nullif(began, '-infinity')) * 1000, 0)::float8 as began_ms,
      coalesce(extract(epoch from ended) * 1000, 0)::float8 as ended_ms
    from sandbox_period`
  return row ?? { began_ms: 0, ended_ms: 0 }
}

/** One process at a time. */
export async function inTurn<T>(db: Db, work: () => Promise<T>): Promise<T> {
  return transaction(db, async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCKS.reopening})`
    return work()
  })
}
