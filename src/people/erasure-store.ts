import type { Db, Tx } from '../db/connect.ts'
import { listPage, type Listed } from '../db/list-page.ts'
import { prepare } from '../db/sql.ts'
import type { Page } from '../values/page.ts'
import type { Place } from './table-scan-store.ts'

export type ErasureRow = {
  id: string
  number_hash: string
  asked_by: string
  status: 'running' | 'done'
  found: Record<string, number>
  waits_for: string[]
  created_datetime: string
  ended_datetime: string | null
}

export type Progress = {
  round: number
  at_table: string
  place: Place | null
  found_now: number
  left_now: number
  waits_for: string[]
}

export type RunningErasure = Progress & {
  id: string
  number_hash: string
  sealed_number: Buffer
  everywhere: boolean
  found: Record<string, number>
}

/** Inserts an erasure, or returns the one running for this number; if its scope is extended, it runs another round. */
export async function insertErasure(
  tx: Tx,
  organisation_id: string,
  erasure: { id: string; number_hash: string; sealed_number: Buffer; asked_by: string; everywhere: boolean },
): Promise<{ id: string; is_new: boolean }> {
  const made = await tx`
    insert into erasures (organisation_id, id, number_hash, sealed_number, asked_by, everywhere)
    values (${organisation_id}, ${erasure.id}, ${erasure.number_hash}, ${erasure.sealed_number}, ${erasure.asked_by},
      ${erasure.everywhere})
    on conflict (organisation_id, number_hash) where status = 'running' do nothing`
  if (made.count === 1) return { id: erasure.id, is_new: true }
  const [running] = await tx<{ id: string }[]>`
    update erasures
    set everywhere = everywhere or ${erasure.everywhere},
      found_now = found_now + (${erasure.everywhere} and not everywhere)::integer
    where organisation_id = ${organisation_id} and number_hash = ${erasure.number_hash} and status = 'running'
    returning id`
  // The running one ended concurrently: start a new one.
  return running ? { id: running.id, is_new: false } : insertErasure(tx, organisation_id, erasure)
}

/** Locks a running erasure, so that one process at a time performs its next step. */
export async function lockErasure(tx: Tx, organisation_id: string, id: string): Promise<RunningErasure | undefined> {
  const [row] = await tx<RunningErasure[]>`
    select id, number_hash, sealed_number, everywhere, found, round, at_table, place, found_now, left_now, waits_for
    from erasures where organisation_id = ${organisation_id} and id = ${id} and status = 'running' for update`
  return row
}

export async function recordProgress(
  tx: Tx,
  organisation_id: string,
  id: string,
  found: Record<string, number>,
  progress: Progress,
): Promise<void> {
  await tx`
    update erasures
    set found = ${JSON.stringify(found)}::text::jsonb, round = ${progress.round}, at_table = ${progress.at_table},
      place = ${progress.place === null ? null : JSON.stringify(progress.place)}::text::jsonb,
      found_now = ${progress.found_now}, left_now = ${progress.left_now}, waits_for = ${progress.waits_for}::text[]
    where organisation_id = ${organisation_id} and id = ${id}`
}

/** Ends an erasure: the receipt stays, the sealed number is deleted. */
export async function endErasure(tx: Tx, organisation_id: string, id: string): Promise<void> {
  await tx`
    update erasures
    set status = 'done', sealed_number = null, ended_datetime = now(), waits_for = '{}', place = null
    where organisation_id = ${organisation_id} and id = ${id}`
}

export async function findErasure(db: Db, organisation_id: string, id: string): Promise<ErasureRow | undefined> {
  const [row] = await db<ErasureRow[]>`
    select ${columns(db)} from erasures where organisation_id = ${organisation_id} and id = ${id}`
  return row
}

/** Newest first. */
export async function listErasures(
  db: Db,
  organisation_id: string,
  number_hash: string | undefined,
  page: Page,
): Promise<Listed<ErasureRow>> {
  return listPage<ErasureRow>(db, page, {
    select: columns(db),
    from: db`erasures`,
    where: db`
      organisation_id = ${organisation_id}
      ${number_hash === undefined ? db`` : db`and number_hash = ${number_hash}`}`,
  })
}

function columns(db: Db) {
  return prepare(db`id, number_hash, asked_by, status, found, waits_for, created_datetime, ended_datetime`)
}

/** Contact imports in progress: they may still insert the person. */
export async function countImports(tx: Tx, organisation_id: string): Promise<number> {
  const [row] = await tx<{ imports: number }[]>`
    select count(*)::integer as imports from contact_imports
    where organisation_id = ${organisation_id} and status in ('queued', 'running')`
  return row?.imports ?? 0
}

/** Whether it is the only live organisation. */
export async function isAlone(db: Db, organisation_id: string): Promise<boolean> {
  const others = await db`select 1 from organisations where mode = 'live' and id <> ${organisation_id} limit 1`
  return others.length === 0
}
