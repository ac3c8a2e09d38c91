import { batchesOf, connectionsOf } from '../db/layout.ts'
import type { Db, Tx } from '../db/connect.ts'
import { rows } from '../db/rows.ts'
import { prepare, type Query, type Sql } from '../db/sql.ts'
import { transaction } from '../db/transaction.ts'
import { dayText, type MarginRow } from '../observe/margins.ts'
import { groupBy } from '../values/group.ts'

/** Adds to the days in progress. Those that have ended are computed from the deliveries. */
export async function addMargins(db: Db, counted: readonly MarginRow[]): Promise<void> {
  const sorted = counted.toSorted((a, b) => (a.organisation_id < b.organisation_id ? -1 : 1))
  const groups = batchesOf(db, [...groupBy(sorted, ({ organisation_id }) => organisation_id)])
  await Promise.all(groups.map((group) => addBatch(db, group)))
}

/** Of one organisation or, on a single server, of all; always locked in the same order. */
async function addBatch(db: Db, group: readonly (readonly [string, readonly MarginRow[]])[]): Promise<void> {
  const there = connectionsOf(db, group[0]?.[0] ?? '')
  await prepare(there`
    insert into margins as known
      (organisation_id, day, carrier, country, operator, deliveries, pages, revenue, cost, without_cost,
        revenue_without_cost)
    select organisation_id, day, carrier, country, operator, deliveries, pages, revenue, cost, without_cost,
      revenue_without_cost
    from ${figures(
      there,
      group.flatMap(([, own]) => own),
    )}
    where day >= (now() at time zone 'utc')::date
    order by organisation_id, day, carrier, country, operator
    on conflict (organisation_id, day, carrier, country, operator) do update set
      deliveries = known.deliveries + excluded.deliveries, pages = known.pages + excluded.pages,
      revenue = known.revenue + excluded.revenue, cost = known.cost + excluded.cost,
      without_cost = known.without_cost + excluded.without_cost,
      revenue_without_cost = known.revenue_without_cost + excluded.revenue_without_cost`)
}

/** Replaces the figures of a day of an organisation. */
export async function replaceMargins(
  db: Db,
  organisation_id: string,
  day: string,
  computed: readonly MarginRow[],
): Promise<void> {
  await transaction(connectionsOf(db, organisation_id), async (tx: Tx) => {
    await tx`delete from margins where organisation_id = ${organisation_id} and day = ${day}::date`
    if (computed.length === 0) return
    await tx`
      insert into margins
        (organisation_id, day, carrier, country, operator, deliveries, pages, revenue, cost, without_cost,
          revenue_without_cost)
      select organisation_id, day, carrier, country, operator, deliveries, pages, revenue, cost, without_cost,
        revenue_without_cost
      from ${figures(tx, computed)}
      on conflict (organisation_id, day, carrier, country, operator) do update set
        deliveries = excluded.deliveries, pages = excluded.pages, revenue = excluded.revenue, cost = excluded.cost,
        without_cost = excluded.without_cost, revenue_without_cost = excluded.revenue_without_cost`
  })
}

function figures(sql: Sql, given: readonly MarginRow[]): Query {
  return sql`(
    select organisation_id, day::date as day, carrier, country, operator, deliveries, pages, revenue, cost, without_cost,
      revenue_without_cost
    from ${rows(sql, given, 'given', {
      organisation_id: 'uuid',
      day: ['text', ({ day }) => dayText(day)],
      carrier: 'text',
      country: 'text',
      operator: 'text',
      deliveries: 'bigint',
      pages: 'bigint',
      revenue: 'bigint',
      cost: 'bigint',
      without_cost: 'bigint',
      revenue_without_cost: 'bigint',
    })}
  ) counted`
}
