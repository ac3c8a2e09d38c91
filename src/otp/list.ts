import type { Db } from '../db/connect.ts'
import { paginate, readPage, type PageQuery, type Pagination } from '../values/page.ts'
import { countOtps, listAllOtps } from './list-store.ts'
import { otpRecord } from './record.ts'
import type { ListedOtp } from './schema.ts'

/** An exact total of what a person pages through is not worth a second of counting. */
const COUNTED = 10_000

/** The OTPs of an organisation, newest first: all of them, of one number, in one state. */
export async function findAllOtps(
  deps: { db: Db },
  organisation_id: string,
  query: PageQuery & { recipient?: string | undefined; status?: number | undefined },
): Promise<{ otps: ListedOtp[]; pagination: Pagination }> {
  const page = readPage(query)
  const { recipient, status } = query
  const [found, count_total] = await Promise.all([
    listAllOtps(deps.db, organisation_id, { ...page, recipient, status, limit: page.limit + 1 }),
    countOtps(deps.db, organisation_id, { recipient, status }, COUNTED),
  ])
  const { rows, pagination } = paginate(page, found, count_total)
  const otps = rows.map((row) => {
    return { ...otpRecord(row), attempts: row.attempts, expires_datetime: row.expires_datetime }
  })
  return { otps, pagination }
}
