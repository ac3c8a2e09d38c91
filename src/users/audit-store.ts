import type { Db, Tx } from '../db/connect.ts'
import { containing } from '../values/input/like.ts'
import { listPage, type Listed } from '../db/list-page.ts'
import type { Page } from '../values/page.ts'
import { withoutHalves } from '../values/input/storable.ts'

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

/** Entries of this action, with this text in actor, action or subject, and between these moments. */
export type AuditFilter = {
  q: string | undefined
  action: string | undefined
  from_ms: number | undefined
  until_ms: number | undefined
}

/** Newest first. */
export async function listAudit(
  db: Db,
  organisation_id: string,
  filter: AuditFilter,
  page: Page,
): Promise<Listed<AuditRow>> {
  return listPage<AuditRow>(db, page, {
    select: db`id, user_id, actor, address, action, subject, before, after, created_datetime`,
    from: db`audit_entries`,
    where: matching(db, organisation_id, filter),
  })
}

/** Times become bounds of the id, which starts with the time: the primary key finds them. */
function matching(db: Db, organisation_id: string, { q, action, from_ms, until_ms }: AuditFilter) {
  const words = containing((q ?? '').toLowerCase())
  return db`organisation_id = ${organisation_id}
    ${action === undefined ? db`` : db`and action = ${action}`}
    ${from_ms === undefined ? db`` : db`and id >= first_id_at(to_timestamp(${from_ms}::float8 / 1000))`}
    ${until_ms === undefined ? db`` : db`and id < first_id_at(to_timestamp((${until_ms}::float8 + 1) / 1000))`}
    ${
      q === undefined
        ? db``
        : db`and uuid_hash_extended(organisation_id, 0) = uuid_hash_extended(${organisation_id}::uuid, 0)
          and lower(actor || ' ' || action || ' ' || coalesce(subject, '')) like ${words}`
    }`
}

function json(value: Record<string, unknown> | null): string | null {
  return value === null
    ? null
    : JSON.stringify(value, (_key, one: unknown) => (typeof one === 'string' ? storable(one) : one))
}

/** Removes what `jsonb` rejects: unpaired surrogates and NUL. */
function storable(text: string): string {
  return withoutHalves(text).replaceAll('\0', '')
}
