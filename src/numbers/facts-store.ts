import type { Db } from '../db/connect.ts'
import { rows } from '../db/rows.ts'
import type { ProviderAnswer } from './conclude.ts'

/** What a delivery report says about a number. */
export type CarrierFact = { msisdn: string; operator: string | null; dnd: boolean }

/** Stores the facts of a batch; each number once and in one order, so that two batches cannot deadlock. */
export async function noteCarrierFacts(db: Db, facts: readonly CarrierFact[]): Promise<void> {
  await db`
    insert into carrier_facts as known (msisdn, operator, operator_noted, dnd_noted)
    select msisdn, max(operator), case when max(operator) is not null then now() end, case when bool_or(dnd) then now() end
    from ${rows(db, facts, 'fact', { msisdn: 'bigint', operator: 'text', dnd: 'boolean' })}
    group by msisdn
    order by msisdn
    on conflict (msisdn) do update
    set operator = coalesce(excluded.operator, known.operator),
      operator_noted = coalesce(excluded.operator_noted, known.operator_noted),
      dnd_noted = coalesce(excluded.dnd_noted, known.dnd_noted)`
}

export async function storeProviderAnswers(
  db: Db,
  answers: readonly (ProviderAnswer & { msisdn: string })[],
): Promise<void> {
  await db`
    insert into provider_answers (msisdn, operator, ported, dnd)
    select distinct on (msisdn) msisdn, operator, ported, dnd
    from ${rows(db, answers, 'answer', { msisdn: 'bigint', operator: 'text', ported: 'boolean', dnd: 'boolean' })}
    order by msisdn
    on conflict (msisdn) do update
    set operator = excluded.operator, ported = excluded.ported, dnd = excluded.dnd, asked_datetime = now()`
}
