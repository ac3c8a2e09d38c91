import type { Db } from '../db/connect.ts'
import { STATUS } from './schema.ts'
import { statusNow, type OtpRow } from './store.ts'

export type ListedOtpRow = OtpRow & { attempts: number; expires_datetime: string }

/** Newest first, of all numbers or of one. */
export async function listAllOtps(
  db: Db,
  organisation_id: string,
  page: {
    recipient?: string | undefined
    status?: number | undefined
    before?: string | undefined
    skip: number
    limit: number
  },
): Promise<ListedOtpRow[]> {
  return db<ListedOtpRow[]>`
    select id, recipient, attempts, ${statusNow(db)}, created_datetime, expires_datetime
    from otps
    where organisation_id = ${organisation_id}
      ${page.recipient === undefined ? db`` : db`and recipient = ${page.recipient}`}
      ${page.status === undefined ? db`` : isNow(db, page.status)}
      ${page.before === undefined ? db`` : db`and id < ${page.before}`}
    order by id desc offset ${page.skip} limit ${page.limit}`
}

export async function countOtps(
  db: Db,
  organisation_id: string,
  { recipient, status }: { recipient?: string | undefined; status?: number | undefined },
  at_most: number,
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from (
      select 1 from otps
      where organisation_id = ${organisation_id}
        ${recipient === undefined ? db`` : db`and recipient = ${recipient}`}
        ${status === undefined ? db`` : isNow(db, status)}
      limit ${at_most}
    ) counted`
  return row?.count ?? 0
}

function isNow(db: Db, status: number) {
  if (status === STATUS.SENT) return db`and status = 1 and expires_datetime > now()`
  if (status === STATUS.EXPIRED) return db`and status = 1 and expires_datetime <= now()`
  return db`and status = ${status}`
}
