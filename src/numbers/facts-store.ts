import type { Db } from '../db/connect.ts'
import type { ProviderAnswer } from './conclude.ts'
import type { Freshness } from './known-store.ts'

// The driver sends every text in an array of booleans as false, so truths travel as text and become booleans there.

/** What a carrier told about a number in passing. */
export type CarrierFact = { msisdn: string; operator: string | null; dnd: boolean }

/** Notes the facts of a batch; each number once, in one order, so that two batches cannot wait for each other. */
export async function noteCarrierFacts(db: Db, facts: readonly CarrierFact[]): Promise<void> {
  await db`
    insert into carrier_facts as known (msisdn, operator, operator_noted, dnd_noted)
    select msisdn, max(operator), case when max(operator) is not null then now() end, case when bool_or(dnd::boolean) then now() end
    from unnest(
      ${facts.map(({ msisdn }) => msisdn)}::bigint[],
      ${facts.map(({ operator }) => operator)}::text[],
      ${facts.map(({ dnd }) => String(dnd))}::text[]
    ) as fact (msisdn, operator, dnd)
    group by msisdn
    order by msisdn
    on conflict (msisdn) do update
    set operator = coalesce(excluded.operator, known.operator),
      operator_noted = coalesce(excluded.operator_noted, known.operator_noted),
      dnd_noted = coalesce(excluded.dnd_noted, known.dnd_noted)`
}

export async function keepProviderAnswers(
  db: Db,
  answers: readonly (ProviderAnswer & { msisdn: string })[],
): Promise<void> {
  await db`
    insert into provider_answers (msisdn, operator, ported, dnd)
    select distinct on (msisdn) msisdn, operator, ported::boolean, dnd::boolean
    from unnest(
      ${answers.map(({ msisdn }) => msisdn)}::bigint[],
      ${answers.map(({ operator }) => operator ?? null)}::text[],
      ${answers.map(({ ported }) => textOf(ported))}::text[],
      ${answers.map(({ dnd }) => textOf(dnd))}::text[]
    ) as answer (msisdn, operator, ported, dnd)
    order by msisdn
    on conflict (msisdn) do update
    set operator = excluded.operator, ported = excluded.ported, dnd = excluded.dnd, asked_datetime = now()`
}

function textOf(flag: boolean | undefined): string | null {
  return flag === undefined ? null : String(flag)
}

/** Forgets what no longer counts. */
export async function forgetNumberFacts(db: Db, { cache_hours, carrier_facts_days }: Freshness): Promise<number> {
  const answers = await db`
    delete from provider_answers where asked_datetime < now() - ${cache_hours} * interval '1 hour'`
  const facts = await db`
    delete from carrier_facts
    where greatest(operator_noted, dnd_noted) < now() - ${carrier_facts_days} * interval '1 day'`
  return answers.count + facts.count
}
