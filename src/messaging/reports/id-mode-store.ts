import type { LearnedMode } from '../../carriers/message-id.ts'
import type { Db } from '../../db/connect.ts'

export async function readIdMode(db: Db, carrier: string): Promise<LearnedMode | undefined> {
  const [row] = await db<{ mode: LearnedMode }[]>`select mode from carrier_id_modes where carrier = ${carrier}`
  return row?.mode
}

export async function saveIdMode(db: Db, carrier: string, mode: LearnedMode): Promise<void> {
  await db`
    insert into carrier_id_modes (carrier, mode) values (${carrier}, ${mode})
    on conflict (carrier) do update set mode = excluded.mode, learned_datetime = now()`
}
