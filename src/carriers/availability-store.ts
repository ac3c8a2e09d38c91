import type { Db, Tx } from '../db/connect.ts'

/** Why nothing is submitted to a carrier, and for how much longer. */
export type Pause = { for_s: number; code: string; reason: string }

/** How the last call to a carrier ended, in whichever process stored its outcome last. */
export type LastCall = { carrier: string; answered: boolean; reason: string | null; datetime: string }

/** What the processes have stored about carriers that are called over HTTP. */
export type StoredAvailability = { pauses: readonly (Pause & { carrier: string })[]; calls: readonly LastCall[] }

export async function readAvailability(db: Db): Promise<StoredAvailability> {
  const [pauses, calls] = await Promise.all([listPauses(db), listLastCalls(db)])
  return { pauses, calls }
}

/** Undefined if the carrier is not paused. */
export async function readPause(db: Db, carrier: string): Promise<Pause | undefined> {
  const [row] = await db<Pause[]>`
    select extract(epoch from until - now())::float8 as for_s, code, reason
    from carrier_pauses where carrier = ${carrier} and until > now()`
  return row
}

/** Pauses a carrier in all processes. A longer pause that is in effect stays. */
export async function pauseCarrier(db: Db, carrier: string, { for_s, code, reason }: Pause): Promise<void> {
  await db`
    insert into carrier_pauses (carrier, until, code, reason)
    values (${carrier}, now() + ${for_s} * interval '1 s', ${code}, ${reason})
    on conflict (carrier) do update
    set until = excluded.until, code = excluded.code, reason = excluded.reason
    where carrier_pauses.until < excluded.until`
}

export async function resumeCarrier(db: Db | Tx, carrier: string): Promise<boolean> {
  const gone = await db`delete from carrier_pauses where carrier = ${carrier} and until > now()`
  return gone.count === 1
}

export async function listPauses(db: Db): Promise<(Pause & { carrier: string })[]> {
  return db<(Pause & { carrier: string })[]>`
    select carrier, extract(epoch from until - now())::float8 as for_s, code, reason
    from carrier_pauses where until > now() order by carrier`
}

export async function saveLastCall(db: Db, { carrier, answered, reason }: Omit<LastCall, 'datetime'>): Promise<void> {
  await db`
    insert into carrier_calls (carrier, answered, reason) values (${carrier}, ${answered}, ${reason})
    on conflict (carrier) do update
    set answered = excluded.answered, reason = excluded.reason, datetime = excluded.datetime`
}

async function listLastCalls(db: Db): Promise<LastCall[]> {
  return db<LastCall[]>`select carrier, answered, reason, datetime from carrier_calls order by carrier`
}
