import type { Db, Tx } from '../db/connect.ts'
import { listPage, type Listed } from '../db/list-page.ts'
import type { Page } from '../values/page.ts'

export type EntryRow = {
  entry: string
  reason: string
  actor: string
  created_datetime: string
  expires_datetime: string | null
  hits: bigint
  last_hit_datetime: string | null
}

/** Entries as processes keep them; null: it does not expire. */
export type LoadedRow = { entry: string; for_s: number | null; removed: boolean }

/** What is blocked, in the order of the entries. */
export async function readEntries(db: Db, after: string, limit: number): Promise<LoadedRow[]> {
  return db<LoadedRow[]>`
    select entry, extract(epoch from expires_datetime - now())::float8 as for_s, false as removed from blocklist
    where removed_datetime is null and entry > ${after} order by entry limit ${limit}`
}

/** What has changed since a version, in the order of the changes. */
export async function readChanges(
  db: Db,
  after: { version: bigint; entry: string },
  limit: number,
): Promise<(LoadedRow & { version: bigint })[]> {
  return db<(LoadedRow & { version: bigint })[]>`
    select entry, extract(epoch from expires_datetime - now())::float8 as for_s, removed_datetime is not null as removed,
      version
    from blocklist where (version, entry) > (${String(after.version)}::bigint, ${after.entry})
    order by version, entry limit ${limit}`
}

export type NewEntry = { entry: string; reason: string; expires: string | null }

/** Adds entries, or replaces reason and expiry of those that exist; returns how many did not exist. */
export async function saveEntries(
  tx: Tx,
  entries: readonly NewEntry[],
  { version, actor }: { version: bigint; actor: string },
): Promise<number> {
  const [row] = await tx<{ added: number }[]>`
    with saved as (
      insert into blocklist as known (entry, reason, expires_datetime, version, actor)
      select entry, reason, expires, ${String(version)}::bigint, ${actor}
      from unnest(
        ${entries.map(({ entry }) => entry)}::text[],
        ${entries.map(({ reason }) => reason)}::text[],
        ${entries.map(({ expires }) => expires)}::timestamptz[]
      ) as given (entry, reason, expires)
      on conflict (entry) do update
      set reason = excluded.reason, expires_datetime = excluded.expires_datetime, version = excluded.version,
        actor = excluded.actor, removed_datetime = null,
        hits = case when known.removed_datetime is null then known.hits else 0 end,
        last_hit_datetime = case when known.removed_datetime is null then known.last_hit_datetime end,
        created_datetime = case when known.removed_datetime is null then known.created_datetime else now() end
      returning created_datetime = now() as is_new
    )
    select count(*) filter (where is_new)::integer as added from saved`
  return row?.added ?? 0
}

export async function countEntries(tx: Tx): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from blocklist where removed_datetime is null`
  return row?.count ?? 0
}

/** Removes entries and returns them. */
export async function removeEntries(tx: Tx, entries: readonly string[], version: bigint): Promise<EntryRow[]> {
  return tx<EntryRow[]>`
    update blocklist set removed_datetime = now(), version = ${String(version)}::bigint
    where entry = any (${entries}::text[]) and removed_datetime is null
    returning entry, reason, actor, created_datetime, expires_datetime, hits, last_hit_datetime`
}

/** Greater than any entry, which has at most 15 digits. */
export const BEHIND_ALL = '9'.repeat(16)

/** In the order of the entries; `search` is their beginning. */
export async function listEntries(db: Db, search: string, page: Page): Promise<Listed<EntryRow & { id: string }>> {
  return listPage<EntryRow & { id: string }>(db, page, {
    select: db`entry as id, entry, reason, actor, created_datetime, expires_datetime, hits, last_hit_datetime`,
    from: db`blocklist`,
    where: db`removed_datetime is null and starts_with(entry, ${search})`,
    key: db`entry`,
    ascending: { behind_all: BEHIND_ALL },
  })
}

/** What is in effect, with its facts, page by page. */
export async function exportEntries(db: Db, after: string, limit: number): Promise<EntryRow[]> {
  return db<EntryRow[]>`
    select entry, reason, actor, created_datetime, expires_datetime, hits, last_hit_datetime from blocklist
    where removed_datetime is null and (expires_datetime is null or expires_datetime > now()) and entry > ${after}
    order by entry limit ${limit}`
}

/** Sorted, so that two processes do not wait for each other. */
export async function addHits(db: Db, hits: ReadonlyMap<string, number>): Promise<void> {
  const sorted = [...hits].sort(([a], [b]) => (a < b ? -1 : 1))
  await db`
    update blocklist set hits = hits + count, last_hit_datetime = now()
    from (
      select blocklist.entry, count
      from unnest(
        ${sorted.map(([entry]) => entry)}::text[],
        ${sorted.map(([, count]) => count)}::integer[]
      ) as given (entry, count)
      join blocklist on blocklist.entry = given.entry
      order by blocklist.entry for update of blocklist
    ) hit
    where blocklist.entry = hit.entry`
}
