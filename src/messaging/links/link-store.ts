import type { Db, Tx } from '../../db/connect.ts'
import { rows } from '../../db/rows.ts'
import { prepare, type Query, type Sql } from '../../db/sql.ts'
import type { Statement } from '../../db/transaction.ts'
import type { DraftLink } from '../draft.ts'

/** Which of these codes lead somewhere already. */
export async function findTaken(db: Db, codes: readonly string[]): Promise<string[]> {
  const taken = await db<{ code: string }[]>`select code from links where code = any (${codes}::text[])`
  return taken.map(({ code }) => code)
}

/** Stores the links of the messages that were charged, in the same transaction, and no others. */
export function storeLinks(tx: Tx, organisation_id: string, drafts: readonly (readonly DraftLink[])[]): Statement[] {
  const isStored = tx`(select true from messages where organisation_id = ${organisation_id} and id = link.message_id)`
  return [prepare(tx`with ${linkCte(tx, organisation_id, drafts, isStored)} select 1`)]
}

/** The same inside the charging statement, for bursts that are charged as a whole or not at all. */
export function storeLinksAtOnce(sql: Sql, organisation_id: string, drafts: readonly (readonly DraftLink[])[]): Query {
  return linkCte(sql, organisation_id, drafts, sql`exists (select from spent)`)
}

function linkCte(sql: Sql, organisation_id: string, drafts: readonly (readonly DraftLink[])[], isStored: Query): Query {
  const columns = { code: 'text', message_id: 'uuid', recipient: 'text', position: 'smallint', url: 'text' } as const
  return sql`
    link as (
      insert into links (code, organisation_id, message_id, recipient, position, url)
      select code, ${organisation_id}, message_id, recipient, position, url
      from ${rows(sql, drafts.flat(), 'link', columns)}
      where ${isStored}
    )`
}

export type LinkRow = {
  recipient: string
  code: string
  url: string
  clicks: number
  clicks_raw: number
  clicked_datetime: string | null
}

export async function listLinks(db: Db, organisation_id: string, message_id: string): Promise<LinkRow[]> {
  return db<LinkRow[]>`
    select recipient, code, url, clicks, clicks_raw, clicked_datetime from links
    where organisation_id = ${organisation_id} and message_id = ${message_id}
    order by recipient, position`
}

/** Forgets links of messages older than so many days, at most so many of each organisation. */
export async function forgetMessageLinks(db: Db, older_than_days: number, limit: number): Promise<number> {
  const gone = await db`
    delete from links using (
      select code
      from organisations
      cross join lateral (
        select code from links
        where organisation_id = organisations.id
          and message_id < first_id_at(now() - ${older_than_days} * interval '1 day')
        order by message_id
        limit ${limit}
      ) of_one
    ) old
    where links.code = old.code`
  return gone.count
}
