import type { Db } from '../db/connect.ts'
import { readPage, type PageQuery, type Pagination } from '../values/page.ts'
import { listAllOtps } from './list-store.ts'
import { otpRecord } from './record.ts'
import type { ListedOtp } from './schema.ts'

/** The OTPs of an organisation, newest first: all of them, of one number, in one state. */
export async function findAllOtps(
  deps: { db: Db },
  organisation_id: string,
  query: PageQuery & { recipient?: string | undefined; status?: number | undefined },
): Promise<{ otps: ListedOtp[]; pagination: Pagination }> {
  const { rows, pagination } = await listAllOtps(deps.db, organisation_id, query, readPage(query))
  const otps = rows.map((row) => {
    return { ...otpRecord(row), attempts: row.attempts, expires_datetime: row.expires_datetime }
  })
  return { otps, pagination }
}
