import type { Db, Tx } from '../db/connect.ts'
import type { Held } from '../organisations/suspend-store.ts'

export type FoundOrganisation = { id: string; test_id: string; name: string; currency: string; held: Held | null }

/** Undefined for a test twin. */
export async function findExported(sql: Db | Tx, id: string): Promise<FoundOrganisation | undefined> {
  const [row] = await sql<FoundOrganisation[]>`
    select own.id, twin.id as test_id, own.name, own.currency, own.held
    from organisations own join organisations twin on twin.twin_of = own.id
    where own.id = ${id}`
  return row
}

/** For how many seconds it has been suspended. */
export async function suspendedFor(db: Db, id: string): Promise<number> {
  const [row] = await db<{ seconds: number }[]>`
    select coalesce(extract(epoch from now() - suspended_datetime), 0)::float8 as seconds
    from organisations where id = ${id}`
  return row?.seconds ?? 0
}

/** Deliveries that a carrier has and has not reported. */
export async function countWaitingReports(tx: Tx, organisation_ids: readonly string[]): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from submissions
    where organisation_id = any (${organisation_ids}::uuid[]) and segment = 1`
  return row?.count ?? 0
}
