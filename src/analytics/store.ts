import type { Db } from '../db/connect.ts'
import type { Query } from '../db/sql.ts'
import { ALL, OTHER, type Counted, type Dimension } from '../observe/analytics/figures.ts'
import type { Period } from './period.ts'

/** What is added up: everything, or one value of a dimension. */
export type Subject = { dimension: Dimension; value: string } | undefined

/** Sums per step of a period, by index; empty steps are left out. */
export async function readSteps(
  db: Db,
  organisation_id: string,
  { starts, ends_ms }: Period,
  subject: Subject,
): Promise<Map<number, Counted>> {
  const moments = starts.map(written)
  const rows = await db<(Counted & { step: number })[]>`
    select width_bucket(hour, ${moments}::timestamptz[]) - 1 as step, ${sums(db)}
    from analytics
    where organisation_id = ${organisation_id} and dimension = ${subject?.dimension ?? ALL}
      and hour >= ${moments[0] ?? null} and hour < ${written(ends_ms)}
      ${subject ? db`and value = ${subject.value}` : db``}
    group by 1`
  return new Map(rows.map(({ step, ...counted }) => [step, counted]))
}

export type ValueRow = Counted & { value: string }

/** The values of a dimension with the most messages, and all others as `*`. */
export async function readTopValues(
  db: Db,
  organisation_id: string,
  { starts, ends_ms }: Period,
  dimension: Dimension,
  most: number,
): Promise<ValueRow[]> {
  return db<ValueRow[]>`
    select case when rank <= ${most}::integer then value else ${OTHER} end as value, ${sums(db)}
    from (
      select *, row_number() over (
        order by value = ${OTHER}, accepted desc, failed desc, otp_requested desc, value
      ) + case when value = ${OTHER} then ${most}::integer else 0 end as rank
      from (
        select value, ${sums(db)} from analytics
        where organisation_id = ${organisation_id} and dimension = ${dimension}
          and hour >= ${written(starts[0] ?? ends_ms)} and hour < ${written(ends_ms)}
        group by value
      ) summed
    ) ranked
    group by 1
    order by min(rank)`
}

/** The same values in another period. */
export async function readValues(
  db: Db,
  organisation_id: string,
  { starts, ends_ms }: Period,
  dimension: Dimension,
  values: readonly string[],
): Promise<ValueRow[]> {
  return db<ValueRow[]>`
    select case when value = any (${values}::text[]) then value else ${OTHER} end as value, ${sums(db)}
    from analytics
    where organisation_id = ${organisation_id} and dimension = ${dimension}
      and hour >= ${written(starts[0] ?? ends_ms)} and hour < ${written(ends_ms)}
    group by 1`
}

function written(at_ms: number): string {
  return new Date(at_ms).toISOString()
}

function sums(db: Db): Query {
  return db`
    sum(accepted)::float8 as accepted, sum(delivered)::float8 as delivered, sum(failed)::float8 as failed,
    sum(unknown)::float8 as unknown, sum(canceled)::float8 as canceled, sum(pages)::float8 as pages,
    sum(cost)::float8 as cost, sum(refunded)::float8 as refunded, sum(otp_requested)::float8 as otp_requested,
    sum(otp_verified)::float8 as otp_verified, sum(otp_failed)::float8 as otp_failed,
    sum(read)::float8 as read`
}
