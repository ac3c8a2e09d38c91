import { idArray } from '../../db/array.ts'
import type { Db } from '../../db/connect.ts'
import type { ReadTraces } from '../../observe/trace/trace-cache.ts'

/** Reads the traces of messages whose trace does not follow from their id. */
export function makeReadTraces(db: Db): ReadTraces {
  return async (organisation_id, message_ids) => db<{ id: string; trace: string }[]>`
    select id, trace from messages
    where organisation_id = ${organisation_id} and id = any (${idArray(message_ids)}::uuid[]) and trace is not null`
}
