import type { Db } from '../db/connect.ts'
import type { MarginsBy } from './schema.ts'

/** Money is in ten-thousandths. What the rows are not grouped by is null. */
export type SummedMargins = {
  day: string | null
  organisation_id: string | null
  carrier: string | null
  country: string | null
  operator: string | null
  deliveries: number
  pages: number
  revenue: bigint
  cost: bigint
  without_cost: number
  revenue_without_cost: bigint
}

export type MarginsRange = {
  from: string
  until: string
  organisation_id: string | undefined
  carrier: string | undefined
  country: string | undefined
}

/**
 * Sums of all live organisations: the days in their order, and within a day, or without days, the highest revenue first. An
 * operator is one of a country.
 */
export async function sumMargins(
  db: Db,
  { from, until, organisation_id, carrier, country }: MarginsRange,
  by: readonly MarginsBy[],
  limit: number,
): Promise<SummedMargins[]> {
  const is_by = (what: MarginsBy): boolean => by.includes(what)
  return db<SummedMargins[]>`
    select case when ${is_by('day')} then day end::text as day,
      case when ${is_by('organisation')} then organisation_id end as organisation_id,
      case when ${is_by('carrier')} then carrier end as carrier,
      case when ${is_by('country') || is_by('operator')} then country end as country,
      case when ${is_by('operator')} then operator end as operator,
      sum(deliveries)::float8 as deliveries, sum(pages)::float8 as pages, sum(revenue)::bigint as revenue,
      sum(cost)::bigint as cost, sum(without_cost)::float8 as without_cost,
      sum(revenue_without_cost)::bigint as revenue_without_cost
    from margins
    where day between ${from}::date and ${until}::date
      and organisation_id in (select id from organisations where mode = 'live')
      and (${organisation_id ?? null}::uuid is null or organisation_id = ${organisation_id ?? null}::uuid)
      and (${carrier ?? null}::text is null or carrier = ${carrier ?? null}::text)
      and (${country ?? null}::text is null or country = ${country ?? null}::text)
    group by 1, 2, 3, 4, 5
    order by 1, revenue desc, 2, 3, 4, 5
    limit ${limit}`
}
