import type { Db } from '../db/connect.ts'

/** How the last call to a carrier ended that any process has told of. */
export type LastCall = { carrier: string; answered: boolean; reason: string | null; datetime: string }

export async function saveLastCall(db: Db, { carrier, answered, reason }: Omit<LastCall, 'datetime'>): Promise<void> {
  await db`
    insert into carrier_calls (carrier, answered, reason) values (${carrier}, ${answered}, ${reason})
    on conflict (carrier) do update
    set answered = excluded.answered, reason = excluded.reason, datetime = excluded.datetime`
}

export async function listLastCalls(db: Db): Promise<LastCall[]> {
  return db<LastCall[]>`select carrier, answered, reason, datetime from carrier_calls order by carrier`
}
