import type { Db } from '../db/connect.ts'
import { rows } from '../db/rows.ts'

/** A request without its bodies. */
export type CallRow = {
  request_id: string
  method: string
  path: string
  status: number
  ms: number
  key_id: string | null
  /** Milliseconds before the row was written. */
  ago_ms: number
}

export type ContentRow = { request_id: string; body: string | null; answer: string | null; left_out?: boolean }

export type NewBurst = {
  organisation_id: string
  id: string
  seen: number
  calls: CallRow[]
  contents: ContentRow[]
}

export type BurstRow = { id: string; seen: number; calls: CallRow[]; created_datetime: string }

export async function insertBursts(db: Db, bursts: readonly NewBurst[]): Promise<void> {
  await db`
    insert into request_bursts (organisation_id, id, seen, request_ids, calls, contents)
    select organisation_id, id, seen, array(select jsonb_array_elements(calls) ->> 'request_id'), calls, contents
    from ${rows(db, bursts, 'burst', {
      organisation_id: 'uuid',
      id: 'uuid',
      seen: 'integer',
      calls: 'jsonb',
      contents: 'jsonb',
    })}`
}

/** Newest first, between two ids; the older one is included. */
export async function listBursts(
  db: Db,
  organisation_id: string,
  { from, before, limit }: { from: string; before: string; limit: number },
): Promise<BurstRow[]> {
  return db<BurstRow[]>`
    select id, seen, calls, created_datetime from request_bursts
    where organisation_id = ${organisation_id} and id >= ${from} and id < ${before}
    order by id desc limit ${limit}`
}

/** Rows with a request of this id, newest first. An id chosen by the caller may occur many times. */
export async function findBursts(
  db: Db,
  organisation_id: string,
  request_id: string,
  limit: number,
): Promise<BurstRow[]> {
  // Find the ids by their index first: otherwise the planner scans all rows, newest first.
  return db<BurstRow[]>`
    with found as materialized (
      select id from request_bursts
      where organisation_id = ${organisation_id} and request_ids @> array[${request_id}]::text[]
    )
    select id, seen, calls, created_datetime from request_bursts
    where organisation_id = ${organisation_id} and id in (select id from found order by id desc limit ${limit})
    order by id desc`
}

export async function readContents(db: Db, organisation_id: string, id: string): Promise<ContentRow[]> {
  const [row] = await db<{ contents: ContentRow[] }[]>`
    select contents from request_bursts where organisation_id = ${organisation_id} and id = ${id}`
  return row?.contents ?? []
}

/** Names of the organisation's API keys. */
export async function listKeyNames(
  db: Db,
  organisation_id: string,
): Promise<{ id: string; hint: string; name: string | null }[]> {
  return db<{ id: string; hint: string; name: string | null }[]>`
    select id, hint, name from api_keys where organisation_id = ${organisation_id} order by id desc limit 1000`
}
