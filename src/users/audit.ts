import type { Db, Tx } from '../db/connect.ts'
import { newId } from '../values/id.ts'
import { readPage, type PageQuery, type Pagination } from '../values/page.ts'
import { present } from '../values/record.ts'
import { csvLine } from '../values/csv-write.ts'
import { insertAudit, listAudit, type AuditFilter, type AuditRow } from './audit-store.ts'
import type { AuditEntry } from './schema.ts'

/** The user or process that performed an action. */
export type Actor = { user_id: string | null; actor: string; address: string | null }

export const COMMAND_LINE: Actor = { user_id: null, actor: 'command line', address: null }

/** Entries about the installation and its operators belong to no organisation. */
export const INSTALLATION = '00000000-0000-0000-0000-000000000000'

export type AuditRecord = {
  /** Null: the installation. */
  organisation_id: string | null
  action: string
  subject?: string | undefined
  before?: Record<string, unknown> | undefined
  after?: Record<string, unknown> | undefined
}

/** Records an action, in its own transaction where there is one. Never record secrets. */
export async function recordAudit(sql: Db | Tx, who: Actor, record: AuditRecord): Promise<void> {
  await insertAudit(sql, record.organisation_id ?? INSTALLATION, {
    id: newId(),
    ...who,
    action: record.action,
    subject: record.subject ?? null,
    before: record.before ?? null,
    after: record.after ?? null,
  })
}

/** Newest first. */
export async function findAudit(
  deps: { db: Db },
  organisation_id: string | null,
  filter: AuditFilter,
  query: PageQuery,
): Promise<{ entries: AuditEntry[]; pagination: Pagination }> {
  const { rows, pagination } = await listAudit(deps.db, organisation_id ?? INSTALLATION, filter, readPage(query))
  return { entries: rows.map(shownEntry), pagination }
}

const ENTRIES_PER_READ = 1_000
const HEAD = ['time', 'actor', 'address', 'action', 'subject', 'before', 'after']

/** All entries of a filter as CSV, newest first. */
export async function* exportAudit(
  deps: { db: Db },
  organisation_id: string | null,
  filter: AuditFilter,
): AsyncGenerator<string> {
  yield `\ufeff${csvLine(HEAD)}`
  for (let before: string | undefined; ;) {
    const page = { page: 1, skip: 0, limit: ENTRIES_PER_READ, before }
    const { rows } = await listAudit(deps.db, organisation_id ?? INSTALLATION, filter, page)
    yield rows.map(csvOf).join('')
    before = rows.at(-1)?.id
    if (rows.length < ENTRIES_PER_READ) return
  }
}

function csvOf({ created_datetime, actor, address, action, subject, before, after }: AuditRow): string {
  const json = (fields: Record<string, unknown> | null): string => (fields === null ? '' : JSON.stringify(fields))
  return csvLine([created_datetime, actor, address ?? '', action, subject ?? '', json(before), json(after)])
}

function shownEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    ...present('user_id', row.user_id),
    actor: row.actor,
    ...present('address', row.address),
    action: row.action,
    ...present('subject', row.subject),
    ...present('before', row.before),
    ...present('after', row.after),
    created_datetime: row.created_datetime,
  }
}
