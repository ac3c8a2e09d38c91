import type { Db } from '../db/connect.ts'

/** Why a carrier is not handed anything for a while. */
export type Pause = { for_s: number; code: string; reason: string }

/** Undefined while the carrier works. */
export async function readPause(db: Db, carrier: string): Promise<Pause | undefined> {
  const [row] = await db<Pause[]>`
    select extract(epoch from until - now())::float8 as for_s, code, reason
    from carrier_pauses where carrier = ${carrier} and until > now()`
  return row
}

/** The longer of two pauses holds. */
export async function pauseCarrier(db: Db, carrier: string, { for_s, code, reason }: Pause): Promise<void> {
  await db`
    insert into carrier_pauses (carrier, until, code, reason)
    values (${carrier}, now() + ${for_s} * interval '1 s', ${code}, ${reason})
    on conflict (carrier) do update
    set until = excluded.until, code = excluded.code, reason = excluded.reason
    where carrier_pauses.until < excluded.until`
}

export async function resumeCarrier(db: Db, carrier: string): Promise<boolean> {
  const gone = await db`delete from carrier_pauses where carrier = ${carrier} and until > now()`
  return gone.count === 1
}

export async function listPauses(db: Db): Promise<(Pause & { carrier: string })[]> {
  return db<(Pause & { carrier: string })[]>`
    select carrier, extract(epoch from until - now())::float8 as for_s, code, reason
    from carrier_pauses where until > now() order by carrier`
}
