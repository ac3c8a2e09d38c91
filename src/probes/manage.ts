import type { Costs } from '../carriers/costs.ts'
import type { Db } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { recordAudit, type Actor } from '../users/audit.ts'
import { newId } from '../values/id.ts'
import { present } from '../values/record.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { expectedCost } from './expected-cost.ts'
import { numbersOf, operatorsOf, type ProbeNetwork, type ReadNetwork } from './network.ts'
import { deletePlan, insertPlan, listPlans, lockPlan, updatePlan, type Plan, type PlanRow } from './plan-store.ts'
import { checkPlan } from './check-plan.ts'
import { nextProbe } from './schedule.ts'
import { MAX_PLANS, type PlanBody, type PlanChange, type PlanList, type ShownPlan } from './schema.ts'

export type PlanDeps = { db: Db; readNetwork: ReadNetwork; costs: Costs; currency: string }

const DEFAULT_TIMING = { per_day: 24, per_campaign: 0, from_hour: 8, to_hour: 22 }

export async function findPlans(deps: PlanDeps): Promise<PlanList> {
  const rows = await listPlans(deps.db)
  const network = deps.readNetwork()
  return {
    plans: rows.map((row) => shownPlan(deps.costs, network, row)),
    carriers: [...network.carriers],
    operators: operatorsOf(network),
    currency: deps.currency,
  }
}

/** Creates a plan that is switched off. Refuses with all faults. */
export async function createPlan(
  deps: PlanDeps,
  who: Actor,
  given: Partial<PlanBody>,
  shape_faults: readonly Fault[] = [],
): Promise<ShownPlan> {
  const network = deps.readNetwork()
  const { name = '', ...fields } = given
  const plan: Plan = { id: newId(), name, ...checkPlan(network, { ...DEFAULT_TIMING, ...fields }, shape_faults) }
  const row = await transaction(deps.db, async (tx) => {
    if (!(await insertPlan(tx, plan, who.actor, MAX_PLANS))) {
      const limit = `There is a plan ${name} already, or there are ${MAX_PLANS} plans.`
      throw new Refusal('conflict', limit)
    }
    await recordAudit(tx, who, { organisation_id: null, action: 'probes.create', subject: name, after: audited(plan) })
    return lockPlan(tx, name)
  })
  return shownPlan(deps.costs, network, row ?? noPlan(name))
}

/** Changes a plan, and switches it on or off. Refuses with all faults. */
export async function changePlan(
  deps: PlanDeps,
  who: Actor,
  name: string,
  { enabled, ...given }: PlanChange,
  shape_faults: readonly Fault[] = [],
): Promise<ShownPlan> {
  // No plan has such a name.
  if (shape_faults.some(({ field }) => field === 'name')) refuseIfFaulty(shape_faults)
  const network = deps.readNetwork()
  const row = await transaction(deps.db, async (tx) => {
    const before = (await lockPlan(tx, name)) ?? noPlan(name)
    const { id, ...fields } = before
    const is_moved = given.operator !== undefined && given.country === undefined
    const own = { ...fields, ...(is_moved ? { country: undefined } : {}), ...given }
    // A plan that is switched off may be so although its carrier or its numbers are gone.
    const only_off = enabled === false && Object.keys(given).length === 0 && shape_faults.length === 0
    const checked = only_off ? before : checkPlan(network, own, shape_faults)
    const plan: Plan = { id, name, ...planFields(checked) }
    const was_enabled = before.next_datetime !== null
    const is_enabled = enabled ?? was_enabled
    const next_ms = nextProbe(plan, Date.now(), Math.random())
    await updatePlan(tx, plan, is_enabled ? new Date(next_ms).toISOString() : null, who.actor)
    await recordAudit(tx, who, {
      organisation_id: null,
      action: 'probes.update',
      subject: name,
      before: { ...audited(before), enabled: was_enabled },
      after: { ...audited(plan), enabled: is_enabled },
    })
    return (await lockPlan(tx, name)) ?? noPlan(name)
  })
  return shownPlan(deps.costs, network, row)
}

/** Deletes a plan; its results stay. */
export async function removePlan({ db }: { db: Db }, who: Actor, name: string): Promise<void> {
  await transaction(db, async (tx) => {
    const plan = (await lockPlan(tx, name)) ?? noPlan(name)
    await deletePlan(tx, name)
    await recordAudit(tx, who, {
      organisation_id: null,
      action: 'probes.delete',
      subject: name,
      before: audited(plan),
    })
  })
}

export function noPlan(name: string): never {
  throw new Refusal('not_found', `There is no plan ${name.slice(0, 60)}.`)
}

function planFields({
  carrier,
  country,
  operator,
  sender_id,
  wordings,
  per_day,
  per_campaign,
  from_hour,
  to_hour,
}: Omit<Plan, 'id' | 'name'>) {
  return { carrier, country, operator, sender_id, wordings, per_day, per_campaign, from_hour, to_hour }
}

/** Wordings are many and long: their number says enough. */
function audited(plan: Plan): Record<string, unknown> {
  return { ...planFields(plan), wordings: plan.wordings.length }
}

function shownPlan(costs: Costs, network: ProbeNetwork, row: PlanRow): ShownPlan {
  const { name, next_datetime, problem, changed_by, changed_datetime } = row
  return {
    name,
    ...planFields(row),
    enabled: next_datetime !== null,
    ...present('next_datetime', next_datetime),
    ...present('problem', problem),
    numbers: numbersOf(network, row).length,
    ...present('expected_cost', expectedCost(costs, network, row)),
    changed_by,
    changed_datetime,
  }
}
