import type { Db } from '../../../db/connect.ts'

export type NamedRow = { id: string; name: string }

/** The newest of a kind that are searched: by the primary key, so that the time is bounded in large organisations. */
const SEARCHED = 5_000
const FOUND = 5

type Wanted = { organisation_id: string; text: string }

export async function searchCampaigns(db: Db, { organisation_id, text }: Wanted): Promise<NamedRow[]> {
  return db<NamedRow[]>`
    select id, name from (
      select id, name from campaigns where organisation_id = ${organisation_id} order by id desc limit ${SEARCHED}
    ) newest
    where position(lower(${text}) in lower(name)) > 0 order by id desc limit ${FOUND}`
}

export async function searchTemplates(db: Db, { organisation_id, text }: Wanted): Promise<NamedRow[]> {
  return db<NamedRow[]>`
    select id, name from (
      select id, (
        select name from template_versions
        where organisation_id = ${organisation_id} and template_id = templates.id order by version desc limit 1
      ) as name
      from templates where organisation_id = ${organisation_id} order by id desc limit ${SEARCHED}
    ) newest
    where position(lower(${text}) in lower(name)) > 0 order by id desc limit ${FOUND}`
}

export async function searchSmartlists(db: Db, { organisation_id, text }: Wanted): Promise<NamedRow[]> {
  return db<NamedRow[]>`
    select id, name from (
      select id, name from contact_smartlists
      where organisation_id = ${organisation_id} order by id desc limit ${SEARCHED}
    ) newest
    where position(lower(${text}) in lower(name)) > 0 order by id desc limit ${FOUND}`
}

export async function searchSenders(db: Db, { organisation_id, text }: Wanted): Promise<NamedRow[]> {
  return db<NamedRow[]>`
    select id, sender_id as name from (
      select id, sender_id, sender_key from senders
      where organisation_id = ${organisation_id} order by id desc limit ${SEARCHED}
    ) newest
    where position(lower(${text}) in sender_key) > 0 order by id desc limit ${FOUND}`
}
