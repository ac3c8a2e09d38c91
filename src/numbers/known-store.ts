import { idArray } from '../db/array.ts'
import type { Db } from '../db/connect.ts'

/** The stored facts about a number; null: none. */
export type Known = {
  msisdn: string
  provider_operator: string | null
  provider_ported: boolean | null
  provider_dnd: boolean | null
  /** Null if the provider's answer is missing or no longer fresh. */
  provider_age_s: number | null
  carrier_operator: string | null
  carrier_age_s: number | null
  carrier_dnd: boolean
  registry_operator: string | null
  registry_age_s: number | null
  registry_dnd: boolean
}

export type Freshness = { cache_hours: number; carrier_facts_days: number }

/** Everything known about the given numbers, in one statement; numbers nothing is known about are left out. */
export async function readKnown(db: Db, msisdns: readonly string[], fresh: Freshness): Promise<Known[]> {
  return db<Known[]>`
    select msisdn::text as msisdn,
      answer.operator as provider_operator, answer.ported as provider_ported, answer.dnd as provider_dnd,
      extract(epoch from now() - asked_datetime)::integer as provider_age_s,
      case when operator_noted > noted_since then fact.operator end as carrier_operator,
      extract(epoch from now() - operator_noted)::integer as carrier_age_s,
      coalesce(dnd_noted > noted_since, false) as carrier_dnd,
      ported.operator as registry_operator,
      extract(epoch from now() - imported_datetime)::integer as registry_age_s,
      dnd.listed is not null as registry_dnd
    from unnest(${idArray(msisdns)}::bigint[]) as wanted (msisdn)
    cross join (select now() - ${fresh.carrier_facts_days} * interval '1 day' as noted_since) since
    left join (
      select msisdn, operator, ported, dnd, asked_datetime from provider_answers
      where asked_datetime > now() - ${fresh.cache_hours} * interval '1 hour'
    ) answer using (msisdn)
    left join carrier_facts fact using (msisdn)
    left join ported_numbers ported using (msisdn)
    left join (select msisdn, true as listed from dnd_numbers) dnd using (msisdn)
    left join number_registries on kind = 'ported' and ported.operator is not null
    where asked_datetime is not null or operator_noted > noted_since or dnd_noted > noted_since
      or ported.operator is not null or dnd.listed is not null`
}
