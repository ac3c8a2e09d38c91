import type { Tx } from '../../db/connect.ts'
import type { Sql } from '../../db/sql.ts'
import type { PauseKind, PauseMode } from './schema.ts'

export type PauseRow = {
  kind: PauseKind
  name: string
  mode: PauseMode
  reason: string
  actor: string
  created_datetime: string
  until: string | null
  /** Seconds since it was paused, and until it resumes. */
  since_s: number
  for_s: number | null
}

export type NewPause = Pick<PauseRow, 'kind' | 'name' | 'mode' | 'reason' | 'actor' | 'until'>

/** The pauses in effect. */
export async function listOperatorPauses(sql: Sql): Promise<PauseRow[]> {
  return sql<PauseRow[]>`
    select kind, name, mode, reason, actor, created_datetime, until,
      extract(epoch from now() - created_datetime)::float8 as since_s, extract(epoch from until - now())::float8 as for_s
    from operator_pauses where until is null or until > now() order by kind, name`
}

/** Replaces a pause of the same carrier or route. One that has not ended keeps the time since when nothing is sent. */
export async function savePause(tx: Tx, { kind, name, mode, reason, actor, until }: NewPause): Promise<void> {
  await tx`
    insert into operator_pauses as known (kind, name, mode, reason, actor, until)
    values (${kind}, ${name}, ${mode}, ${reason}, ${actor}, ${until}::timestamptz)
    on conflict (kind, name) do update
    set mode = excluded.mode, reason = excluded.reason, actor = excluded.actor, until = excluded.until,
      created_datetime = case when known.until <= now() then now() else known.created_datetime end`
}

/** False if it was not paused. */
export async function deletePause(tx: Tx, kind: PauseKind, name: string): Promise<boolean> {
  const gone = await tx<{ in_effect: boolean }[]>`
    delete from operator_pauses where kind = ${kind} and name = ${name}
    returning until is null or until > now() as in_effect`
  return gone[0]?.in_effect === true
}
