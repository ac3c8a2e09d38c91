import type { Db, Tx } from '../db/connect.ts'
import { rows } from '../db/rows.ts'
import type { Sql } from '../db/sql.ts'

export type Plan = {
  id: string
  name: string
  carrier: string
  country: string
  operator: string
  sender_id: string
  wordings: string[]
  per_day: number
  /** Probes with the text of each campaign that the carrier sends to the operator. */
  per_campaign: number
  from_hour: number
  to_hour: number
}

export type PlanRow = Plan & {
  /** Null: switched off. */
  next_datetime: string | null
  probes: bigint
  problem: string | null
  changed_by: string
  changed_datetime: string
}

const columns = (sql: Sql) => sql`
  id, name, carrier, country, operator, sender_id, wordings, per_day, per_campaign, from_hour, to_hour, next_datetime,
  probes, problem, changed_by, changed_datetime`

export async function listPlans(db: Db): Promise<PlanRow[]> {
  return db<PlanRow[]>`select ${columns(db)} from probe_plans order by name`
}

/** Locks it until the end of the transaction. */
export async function lockPlan(tx: Tx, name: string): Promise<PlanRow | undefined> {
  const [row] = await tx<PlanRow[]>`select ${columns(tx)} from probe_plans where name = ${name} for update`
  return row
}

/** Switched off. False: there is one of this name, or there are `most` plans. */
export async function insertPlan(tx: Tx, plan: Plan, changed_by: string, most: number): Promise<boolean> {
  await tx`lock table probe_plans in share row exclusive mode`
  const added = await tx`
    insert into probe_plans
      (id, name, carrier, country, operator, sender_id, wordings, per_day, per_campaign, from_hour, to_hour, changed_by)
    select ${plan.id}, ${plan.name}, ${plan.carrier}, ${plan.country}, ${plan.operator}, ${plan.sender_id},
      ${plan.wordings}::text[], ${plan.per_day}, ${plan.per_campaign}, ${plan.from_hour}, ${plan.to_hour}, ${changed_by}
    where (select count(*) from probe_plans) < ${most}
    on conflict (name) do nothing`
  return added.count === 1
}

export async function updatePlan(tx: Tx, plan: Plan, next_datetime: string | null, changed_by: string): Promise<void> {
  await tx`
    update probe_plans set carrier = ${plan.carrier}, country = ${plan.country}, operator = ${plan.operator},
      sender_id = ${plan.sender_id}, wordings = ${plan.wordings}::text[], per_day = ${plan.per_day},
      per_campaign = ${plan.per_campaign}, from_hour = ${plan.from_hour}, to_hour = ${plan.to_hour}, next_datetime = ${next_datetime},
      problem = null, changed_by = ${changed_by}, changed_datetime = now()
    where id = ${plan.id}`
}

export async function deletePlan(tx: Tx, name: string): Promise<boolean> {
  return (await tx`delete from probe_plans where name = ${name}`).count === 1
}

export type ClaimedPlan = PlanRow & { of_last_day: number }

const ofLastDay = (sql: Sql) => sql`(
  select count(*)::integer from probes
  where probes.plan = probe_plans.name and probes.id > first_id_at(now() - interval '24 hours')
    and outcome not in ('held', 'temporary')
) as of_last_day`

/** Plans whose next probe is due, locked until the end of the transaction. Other processes skip them. */
export async function claimDue(tx: Tx, limit: number): Promise<ClaimedPlan[]> {
  return tx<ClaimedPlan[]>`
    select ${columns(tx)}, ${ofLastDay(tx)}
    from probe_plans where next_datetime <= now()
    order by next_datetime limit ${limit} for update skip locked`
}

/** Whether a plan that is switched on probes the texts of campaigns. */
export async function probesCampaigns(db: Db): Promise<boolean> {
  const found = await db`select from probe_plans where per_campaign > 0 and next_datetime is not null limit 1`
  return found.length > 0
}

/** The plans that probe the texts of campaigns, locked until the end of the transaction. */
export async function lockCampaignPlans(tx: Tx): Promise<ClaimedPlan[]> {
  await tx`
    select from probe_plans where per_campaign > 0 and next_datetime is not null order by name for update`
  return tx<ClaimedPlan[]>`
    select ${columns(tx)}, ${ofLastDay(tx)}
    from probe_plans where per_campaign > 0 and next_datetime is not null order by name`
}

/** `sent`: a probe was stored; otherwise the reason why not. */
export async function movePlan(
  tx: Tx,
  id: string,
  { next_datetime, sent, problem }: { next_datetime: string | null; sent: boolean; problem: string | null },
): Promise<void> {
  await tx`
    update probe_plans set next_datetime = ${next_datetime}, probes = probes + ${sent ? 1 : 0}, problem = ${problem}
    where id = ${id}`
}

/** The phone carriers of which a phone is present, each with the numbers that its SIMs are known to have. */
export async function listPresent(
  sql: Db | Tx,
  carriers: readonly { phone_carrier: string; silent_after_s: number }[],
): Promise<{ phone_carrier: string; number: string | null; present: boolean }[]> {
  if (carriers.length === 0) return []
  return sql<{ phone_carrier: string; number: string | null; present: boolean }[]>`
    select phones.carrier as phone_carrier, phone_sims.number,
      phone_is_present(phones, given.silent_after_s) as present
    from ${rows(sql, carriers, 'given', { phone_carrier: 'text', silent_after_s: 'float8' })}
    join phones on phones.carrier = given.phone_carrier
    left join phone_sims on phone_sims.phone_id = phones.id`
}
