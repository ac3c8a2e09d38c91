import type { Tx } from '../../db/connect.ts'

/** Entries of one stored part, which an estimate reads in one step. */
export const ENTRIES_PER_PART = 2_000

/** Slices of a campaign that one statement reads: at most ten thousand recipients or so. */
const SLICES_PER_PAGE = 40

/** Copies the uploaded recipients of a campaign. */
export async function copyUploads(tx: Tx, organisation_id: string, { from, to }: { from: string; to: string }) {
  await tx`
    insert into campaign_uploads (organisation_id, campaign_id, number, size, entries)
    select organisation_id, ${to}::uuid, number, size, entries from campaign_uploads
    where organisation_id = ${organisation_id} and campaign_id = ${from}`
  await countUploads(tx, organisation_id, to)
}

/**
 * Uploads the recipients of a campaign whose delivery ended in one of these states, with their values, to another one.
 * `names` are the names of the values by text. Reads some slices per statement. Returns how many there are.
 */
export async function uploadFailed(tx: Tx, organisation_id: string, campaign: Failed): Promise<number> {
  let parts = 0
  for (let after = -1; ;) {
    const last = await lastOfPage(tx, organisation_id, campaign.from, after)
    if (last === null) return countUploads(tx, organisation_id, campaign.to)
    parts += await uploadPage(tx, organisation_id, campaign, { after, last, parts })
    after = last
  }
}

type Failed = { from: string; to: string; names: readonly string[][]; statuses: readonly string[] }

/** The number of the last slice of the next page. */
async function lastOfPage(tx: Tx, organisation_id: string, id: string, after: number): Promise<number | null> {
  const [row] = await tx<{ last: number | null }[]>`
    select max(number) as last from (
      select number from campaign_slices
      where organisation_id = ${organisation_id} and campaign_id = ${id} and number > ${after}
      order by number limit ${SLICES_PER_PAGE}
    ) page`
  return row?.last ?? null
}

/** Returns how many parts it stored, behind those that are there. */
async function uploadPage(
  tx: Tx,
  organisation_id: string,
  campaign: Failed,
  { after, last, parts }: { after: number; last: number; parts: number },
): Promise<number> {
  const stored = await tx`
    insert into campaign_uploads (organisation_id, campaign_id, number, size, entries)
    select organisation_id, ${campaign.to}::uuid, ${parts}::integer + part, count(*),
      jsonb_agg(jsonb_build_array(person ->> 0, coalesce(named.by_name, '{}')) order by place)
    from (
      select slice.organisation_id, slice.text_number, person,
        row_number() over (order by slice.number, n) as place,
        ((row_number() over (order by slice.number, n) - 1) / ${ENTRIES_PER_PART} + 1)::integer as part
      from campaign_slices slice
      cross join lateral jsonb_array_elements(slice.recipients) with ordinality as entry (person, n)
      join deliveries delivery on delivery.organisation_id = slice.organisation_id
        and delivery.message_id = slice.message_id and delivery.recipient = person ->> 0
      where slice.organisation_id = ${organisation_id} and slice.campaign_id = ${campaign.from}
        and slice.number > ${after} and slice.number <= ${last}
        and slice.message_id is not null and delivery.status = any (${campaign.statuses}::text[])
        -- Without those whose number was erased.
        and delivery.recipient ~ '^[0-9]+$'
    ) failed
    cross join lateral (
      select jsonb_object_agg(name, person -> n::integer) as by_name
      from jsonb_array_elements_text(
        ${JSON.stringify(campaign.names)}::text::jsonb -> failed.text_number::integer
      ) with ordinality as own (name, n)
      where jsonb_typeof(person -> n::integer) = 'string'
    ) named
    group by organisation_id, part`
  return stored.count
}

async function countUploads(tx: Tx, organisation_id: string, id: string): Promise<number> {
  const [row] = await tx<{ parts: number; people: number }[]>`
    select count(*)::integer as parts, coalesce(sum(size), 0)::integer as people from campaign_uploads
    where organisation_id = ${organisation_id} and campaign_id = ${id}`
  const { parts = 0, people = 0 } = row ?? {}
  await tx`
    update campaigns set uploads = ${parts}, uploaded = ${people}
    where organisation_id = ${organisation_id} and id = ${id}`
  return people
}
