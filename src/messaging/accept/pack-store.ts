import { idArray } from '../../db/array.ts'
import type { Db } from '../../db/connect.ts'
import type { Query, Sql } from '../../db/sql.ts'
import { PRIORITY, type Draft, type Pack } from '../draft.ts'

export const UNPACK_QUEUE = 'unpack'

/** CTEs of a statement that stores the packs of messages and the jobs that will unpack them. */
export function packCtes(
  sql: Sql,
  organisation_id: string,
  drafts: readonly Draft[],
  isCharged: (id: Query) => Query,
): Query {
  const packs = drafts.flatMap((draft) => (draft.packs ?? []).map((pack, n) => ({ ...pack, message_id: draft.id, n })))
  return sql`
    packed as (
      select message_id, number, route, pages, charge, size, first_position, positions, recipients, texts_from
      from unnest(
        ${idArray(packs.map(({ message_id }) => message_id))}::uuid[],
        ${packs.map(({ n }) => n)}::integer[],
        ${packs.map(({ route }) => route)}::text[],
        ${packs.map(({ pages }) => pages)}::smallint[],
        ${packs.map(({ charge }) => String(charge))}::bigint[],
        ${packs.map(({ recipients }) => recipients.length)}::integer[],
        ${packs.map(({ positions }) => positions[0])}::integer[],
        ${idArray(packs.map(listOfPositions))}::text[],
        ${idArray(packs.map(({ recipients }) => `"${recipients.join(',')}"`))}::text[],
        ${placesOfTexts(packs)}::integer[]
      ) as packed (message_id, number, route, pages, charge, size, first_position, positions, recipients, texts_from)
      where ${isCharged(sql`packed.message_id`)}
    ),
    pack as (
      insert into packs
        (organisation_id, message_id, number, route, pages, charge, size, first_position, positions, recipients, texts)
      select ${organisation_id}, message_id, number, route, pages, charge, size, first_position, positions::integer[],
        recipients, (${packs.flatMap(({ texts }) => texts)}::text[])[texts_from : texts_from + size - 1]
      from packed
    ),
    unpacking as (
      insert into jobs (queue, priority, lane, organisation_id, subject_id, subject_key)
      select ${UNPACK_QUEUE}, ${PRIORITY.bulk}, ${organisation_id}, ${organisation_id}, message_id, number::text
      from packed
    )`
}

/** Nothing where they are one after the other, as they nearly always are. */
function listOfPositions({ positions }: Pack): string {
  const first = positions[0] ?? 0
  const last = positions.at(-1) ?? 0
  return last - first === positions.length - 1 ? 'null' : `"{${positions.join(',')}}"`
}

/** Where in the list of all packs' texts those of each begin, counted from 1; an array of null is null. */
function placesOfTexts(packs: readonly Pack[]): (number | null)[] {
  let next = 1
  return packs.map(({ texts }) => {
    next += texts.length
    return texts.length === 0 ? null : next - texts.length
  })
}

/**
 * Turns packs into deliveries and entries in the queues of their routes, and finishes the jobs. One statement that takes
 * the packs away: whoever comes second, or comes again, finds none and does nothing. A message that is gone, with its
 * month, takes its packs along.
 */
export async function unpack(
  db: Db,
  organisation_id: string,
  claimed: readonly PackJob[],
): Promise<{ route: string }[]> {
  const jobs = claimed.toSorted(inOrder)
  return db<{ route: string }[]>`
    with taken as (
      delete from packs
      using unnest(
        ${jobs.map(({ subject_id }) => subject_id)}::uuid[],
        ${jobs.map(({ subject_key }) => subject_key)}::integer[]
      ) as wanted (message_id, number)
      where packs.organisation_id = ${organisation_id}
        and packs.message_id = wanted.message_id and packs.number = wanted.number
      returning packs.message_id, route, pages, charge, first_position, positions, recipients, texts,
        created_datetime
    ),
    given as (
      select message_id, one.recipient, coalesce(one.position, first_position + one.n::integer - 1) as position, pages,
        charge, route, one.text, created_datetime
      from taken
      cross join lateral unnest(string_to_array(recipients, ','), positions, texts) with ordinality
        as one (recipient, position, text, n)
      where (select true from messages where organisation_id = ${organisation_id} and id = message_id)
    ),
    delivery as (
      insert into deliveries
        (organisation_id, message_id, recipient, position, status, pages, charge, route, text, created_datetime)
      select ${organisation_id}, message_id, recipient, position, 'queued', pages, charge, route, text, created_datetime
      from given
    ),
    job as (
      insert into jobs (queue, priority, lane, organisation_id, subject_id, subject_key)
      select 'route:' || route, ${PRIORITY.bulk}, ${organisation_id}, ${organisation_id}, message_id, recipient
      from given
    ),
    finished as (
      delete from jobs where id = any (${jobs.map(({ id }) => String(id))}::bigint[])
    )
    select distinct route from taken`
}

type PackJob = { id: bigint; subject_id: string; subject_key: string }

/** Should two workers come to hold the same packs, the second waits for the first and neither for both. */
function inOrder(a: PackJob, b: PackJob): number {
  if (a.subject_id !== b.subject_id) return a.subject_id < b.subject_id ? -1 : 1
  return Number(a.subject_key) - Number(b.subject_key)
}

/** How many recipients of an organisation wait in packs. */
export async function countPacked(db: Db, organisation_id: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select coalesce(sum(size), 0)::integer as count from packs where organisation_id = ${organisation_id}`
  return row?.count ?? 0
}
