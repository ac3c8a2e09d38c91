import type { Db } from '../../db/connect.ts'

/** Those of the codes that are in use. */
export async function findTaken(db: Db, codes: readonly string[]): Promise<string[]> {
  const taken = await db<{ code: string }[]>`select code from links where code = any (${codes}::text[])`
  return taken.map(({ code }) => code)
}

export type LinkRow = {
  recipient: string
  code: string
  url: string
  clicks: number
  clicks_raw: number
  clicked_datetime: string | null
}

/** The links in the texts to some recipients of a message. */
export async function listLinks(
  db: Db,
  organisation_id: string,
  message_id: string,
  recipients: readonly string[],
): Promise<LinkRow[]> {
  return db<LinkRow[]>`
    select recipient, code, url, clicks, clicks_raw, clicked_datetime from links
    where organisation_id = ${organisation_id} and message_id = ${message_id} and recipient = any (${recipients}::text[])
    order by recipient, position`
}

/** Deletes links of messages older than the given days, at most `limit` per organisation. */
export async function deleteExpiredLinks(db: Db, older_than_days: number, limit: number): Promise<number> {
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
