import { idArray } from '../../db/array.ts'
import type { Db } from '../../db/connect.ts'
import type { ReadTraces } from '../../observe/trace/trace-cache.ts'

/** The traces of messages that are in others than their ids name. */
export function makeReadTraces(db: Db): ReadTraces {
  return async (organisation_id, message_ids) => db<{ id: string; trace: string }[]>`
    select id, trace from messages
    where organisation_id = ${organisation_id} and id = any (${idArray(message_ids)}::uuid[]) and trace is not null`
}
