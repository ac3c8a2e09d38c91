import type { Db } from '../db/connect.ts'
import { listPage, type Listed } from '../db/list-page.ts'
import type { Page } from '../values/page.ts'
import { STATUS } from './schema.ts'
import { statusNow, type OtpRow } from './store.ts'

export type ListedOtpRow = OtpRow & { attempts: number; expires_datetime: string }

/** An exact total of what a person pages through is not worth a second of counting. */
const COUNTED = 10_000

/** Newest first, of all numbers or of one. */
export async function listAllOtps(
  db: Db,
  organisation_id: string,
  { recipient, status }: { recipient?: string | undefined; status?: number | undefined },
  page: Page,
): Promise<Listed<ListedOtpRow>> {
  return listPage<ListedOtpRow>(db, page, {
    select: db`id, recipient, attempts, ${statusNow(db)}, created_datetime, expires_datetime`,
    from: db`otps`,
    where: db`
      organisation_id = ${organisation_id}
      ${recipient === undefined ? db`` : db`and recipient = ${recipient}`}
      ${status === undefined ? db`` : isNow(db, status)}`,
    count_limit: COUNTED,
  })
}

function isNow(db: Db, status: number) {
  if (status === STATUS.SENT) return db`and status = 1 and expires_datetime > now()`
  if (status === STATUS.EXPIRED) return db`and status = 1 and expires_datetime <= now()`
  return db`and status = ${status}`
}
