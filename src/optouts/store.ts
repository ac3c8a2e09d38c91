import type { Db, Tx } from '../db/connect.ts'
import { listPage } from '../db/list-page.ts'
import { rows } from '../db/rows.ts'
import type { Page } from '../values/page.ts'
import type { Optout } from './schema.ts'

/** A number that is blocked already keeps its entry. */
export async function insertOptouts(
  sql: Db | Tx,
  organisation_id: string,
  optouts: readonly Pick<Optout, 'id' | 'recipient' | 'source'>[],
): Promise<void> {
  if (optouts.length === 0) return
  await sql`
    insert into optouts (organisation_id, recipient, id, source)
    select ${organisation_id}, recipient, id, source
    from ${rows(sql, optouts, 'given', { recipient: 'text', id: 'uuid', source: 'text' })}
    on conflict (organisation_id, recipient) do nothing`
}

/** Returns how many entries were deleted. */
export async function deleteOptouts(
  sql: Db | Tx,
  organisation_id: string,
  recipients: readonly string[],
): Promise<number> {
  if (recipients.length === 0) return 0
  const lifted = await sql`
    delete from optouts where organisation_id = ${organisation_id} and recipient = any (${recipients}::text[])`
  return lifted.count
}

export async function deleteOptout(db: Db, organisation_id: string, id: string): Promise<boolean> {
  const lifted = await db`delete from optouts where organisation_id = ${organisation_id} and id = ${id}`
  return lifted.count === 1
}

/** Which of the numbers are blocked. One index probe each: an organisation may have a million opt-outs. */
export async function readOptedOut(db: Db, organisation_id: string, recipients: readonly string[]) {
  return db<{ recipient: string }[]>`
    select recipient from unnest(${recipients}::text[]) as given (recipient)
    where (
      select true from optouts where organisation_id = ${organisation_id} and optouts.recipient = given.recipient
    )`
}

/** Whether a person with an opt-out was erased: such an entry holds a pseudonym. One index probe. */
export async function hasErased(db: Db, organisation_id: string): Promise<boolean> {
  const found = await db`
    select 1 from optouts
    where organisation_id = ${organisation_id} and recipient > 'erased' and recipient < 'erasee' limit 1`
  return found.length > 0
}

export async function listByRecipients(db: Db, organisation_id: string, recipients: readonly string[]) {
  return db<Optout[]>`
    select id, recipient, source, created_datetime
    from optouts where organisation_id = ${organisation_id} and recipient = any (${recipients}::text[])
    order by id`
}

/** Newest first; `prefix`: the first digits of the number. */
export async function listOptouts(db: Db, organisation_id: string, prefix: string | undefined, page: Page) {
  return listPage<Optout>(db, page, {
    select: db`id, recipient, source, created_datetime`,
    from: db`optouts`,
    where: db`
      organisation_id = ${organisation_id}
      ${prefix === undefined ? db`` : db`and recipient >= ${prefix} and recipient < ${`${prefix}:`}`}`,
  })
}
