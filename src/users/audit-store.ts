import type { Db, Tx } from '../db/connect.ts'
import { withoutHalves } from '../values/storable.ts'

export type AuditRow = {
  id: string
  user_id: string | null
  actor: string
  address: string | null
  action: string
  subject: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  created_datetime: string
}

export async function insertAudit(
  sql: Db | Tx,
  organisation_id: string,
  entry: Omit<AuditRow, 'created_datetime'>,
): Promise<void> {
  await sql`
    insert into audit_entries (organisation_id, id, user_id, actor, address, action, subject, before, after)
    values (${organisation_id}, ${entry.id}, ${entry.user_id}, ${entry.actor}, ${entry.address}, ${entry.action},
      ${entry.subject}, ${json(entry.before)}::jsonb, ${json(entry.after)}::jsonb)`
}

/** Newest first. */
export async function listAudit(
  db: Db,
  organisation_id: string,
  page: { before?: string | undefined; skip: number; limit: number },
): Promise<AuditRow[]> {
  return db<AuditRow[]>`
    select id, user_id, actor, address, action, subject, before, after, created_datetime
    from audit_entries
    where organisation_id = ${organisation_id} ${page.before === undefined ? db`` : db`and id < ${page.before}`}
    order by id desc offset ${page.skip} limit ${page.limit}`
}

export async function countAudit(db: Db, organisation_id: string, at_most: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from (
      select 1 from audit_entries where organisation_id = ${organisation_id} limit ${at_most}
    ) counted`
  return row?.count ?? 0
}

function json(value: Record<string, unknown> | null): string | null {
  return value === null
    ? null
    : JSON.stringify(value, (_key, one: unknown) => (typeof one === 'string' ? storable(one) : one))
}

/** Without what PostgreSQL's JSON cannot hold: halves of characters, and the character zero. */
function storable(text: string): string {
  return withoutHalves(text).replaceAll('\0', '')
}
