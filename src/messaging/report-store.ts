import type { CarrierReport } from '../carriers/message-carrier.ts'
import type { Db, Tx } from '../db/connect.ts'

export type StoredReport = {
  id: string
  status: CarrierReport['status']
  code: string | null
  description: string | null
  age_h: number
}

type MatchedReport = StoredReport & { organisation_id: string; message_id: string; recipient: string }
type UnmatchedReport = StoredReport & { organisation_id: null; message_id: null; recipient: null }

export async function insertReports(tx: Tx, reports: readonly (CarrierReport & { id: string })[]): Promise<void> {
  await tx`
    insert into reports (id, carrier, carrier_message_id, status, code, description)
    select id, carrier, carrier_message_id, status, code, description
    from unnest(
      ${reports.map(({ id }) => id)}::uuid[],
      ${reports.map(({ carrier }) => carrier)}::text[],
      ${reports.map(({ carrier_message_id }) => carrier_message_id)}::text[],
      ${reports.map(({ status }) => status)}::text[],
      ${reports.map(({ code }) => code)}::text[],
      ${reports.map(({ description }) => description)}::text[]
    ) as report (id, carrier, carrier_message_id, status, code, description)`
}

/** The reports, each with the delivery it speaks of where that is known. */
export async function readReports(db: Db, ids: readonly string[]): Promise<(MatchedReport | UnmatchedReport)[]> {
  return db<(MatchedReport | UnmatchedReport)[]>`
    select id, status, code, description, organisation_id, message_id, recipient,
      (extract(epoch from now() - received_datetime) / 3600)::float8 as age_h
    from reports left join submissions using (carrier, carrier_message_id)
    where id = any (${ids}::uuid[])`
}

export async function deleteReports(sql: Db | Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from reports where id = any (${ids}::uuid[])`
}
