import type { Db } from '../db/connect.ts'
import { rows } from '../db/rows.ts'
import type { RuleRow } from './rule-store.ts'

/** A rule that charged something, with the list that it belongs to. */
export type ChargedRule = RuleRow & { price_list_id: string; list_name: string }

/** Rules by their ids, also those that were withdrawn since. Those of a deleted list are gone. */
export async function findRules(db: Db, ids: readonly string[]): Promise<ChargedRule[]> {
  if (ids.length === 0) return []
  return db<ChargedRule[]>`
    select rule.id::text as id, target, channel, route_class, prefix, country, operator, mcc_mnc, price, valid_from,
      price_list_id, price_lists.name as list_name
    from price_rules rule join price_lists on price_lists.id = price_list_id
    where rule.id = any (${ids}::bigint[])`
}

/** Rules of a channel with this prefix and country; null: with no country. */
export type Place = { channel: RuleRow['channel']; prefix: string; country: string | null }

/** Rules read per place: more are only found where one prefix and country have rules for so many operators. */
const PER_PLACE = 50

/** The rules of a list that were in force at a moment, at these places; null: now. */
export async function listInForce(
  db: Db,
  price_list_id: string,
  places: readonly Place[],
  at: string | null,
): Promise<RuleRow[]> {
  return db<RuleRow[]>`
    select id, target, channel, route_class, prefix, country, operator, mcc_mnc, price, valid_from
    from (select coalesce(${at}::timestamptz, now()) as moment) given
    cross join ${rows(db, places, 'place', {
      low: ['text', (place) => targetsFrom(place, '|')],
      high: ['text', (place) => targetsFrom(place, BEHIND_BAR)],
    })}
    cross join lateral (
      select distinct on (target) rule.id::text as id, target, channel, route_class, prefix, country, operator, mcc_mnc,
        price, valid_from
      from price_rules rule
      left join price_changes made on made.price_list_id = rule.price_list_id and made.version = rule.version
      left join price_changes gone on gone.price_list_id = rule.price_list_id and gone.version = rule.withdrawn_version
      where rule.price_list_id = ${price_list_id} and target >= low collate "C" and target < high collate "C"
        and valid_from <= moment
        and coalesce(made.created_datetime, '-infinity') <= moment
        and (withdrawn_version is null or gone.created_datetime > moment)
      order by target, valid_from desc
      limit ${PER_PLACE}
    ) latest
    where price is not null`
}

/** The character after the bar, which separates the parts of a target (`targetText`). */
const BEHIND_BAR = '}'

function targetsFrom({ channel, prefix, country }: Place, end: string): string {
  return `${channel}|${prefix}|${country ?? ''}${end}`
}
