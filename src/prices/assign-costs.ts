import type { Db } from '../db/connect.ts'
import { raiseLiveVersion } from '../db/live-versions.ts'
import { transaction } from '../db/transaction.ts'
import { recordAudit, type Actor } from '../users/audit.ts'
import { isStorable } from '../values/input/storable.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { COSTS, noList } from './change.ts'
import {
  deleteCostAssignment,
  listCostAssignments,
  lockCostAssignment,
  storeCostAssignment,
  type CostsOfCarrier,
} from './cost-store.ts'
import type { CostAssignment, CostAssignmentBody } from './schema.ts'
import { lockList } from './store.ts'

/** Whether the carriers of a route are known by name. */
export type RouteCarriers = readonly { name: string; carriers: readonly string[] }[]

/** The cost lists of carriers, with the routes that lead to each. */
export async function findCostAssignments({ db }: { db: Db }, routes: RouteCarriers): Promise<CostAssignment[]> {
  const rows = await listCostAssignments(db)
  return rows.map(({ carrier, name, billed_on, use_answers }) => ({
    carrier,
    cost_list: name,
    billed_on,
    use_answers,
    routes: routes.filter(({ carriers }) => carriers.includes(carrier)).map((route) => route.name),
  }))
}

/**
 * Assigns a cost list to a carrier, by its name; null: none. What is left out stays as it is, and for a new assignment is
 * `submitted` and false. Deliveries keep the costs that were recorded.
 */
export async function assignCosts(
  { db }: { db: Db },
  who: Actor,
  carrier: string,
  { cost_list, billed_on, use_answers }: CostAssignmentBody,
): Promise<void> {
  const faults: Fault[] = []
  if (carrier.trim() === '' || !isStorable(carrier)) {
    faults.push({ field: 'carrier', message: 'This is no name of a carrier.', type: 'invalid' })
  }
  if (cost_list === null && (billed_on !== undefined || use_answers !== undefined)) {
    faults.push({ field: 'cost_list', message: 'Without a cost list nothing is billed.', type: 'invalid' })
  }
  refuseIfFaulty(faults)
  await transaction(db, async (tx) => {
    // Changes of the assignments wait for each other here.
    await raiseLiveVersion(tx, COSTS)
    const before = await lockCostAssignment(tx, carrier)
    const list = cost_list === null ? undefined : await lockList(tx, cost_list)
    if (cost_list !== null && !list) throw noList(cost_list)
    if (list && list.kind !== 'cost') throw new Refusal('conflict', `${list.name} is not a cost list.`)
    const after: CostsOfCarrier | undefined = list && {
      name: list.name,
      billed_on: billed_on ?? before?.billed_on ?? 'submitted',
      use_answers: use_answers ?? before?.use_answers ?? false,
    }
    if (list && after) await storeCostAssignment(tx, carrier, { price_list_id: list.id, ...after })
    else await deleteCostAssignment(tx, carrier)
    const shown = [before, after].map(shownAssignment)
    if (JSON.stringify(shown[0]) === JSON.stringify(shown[1])) return
    await recordAudit(tx, who, {
      organisation_id: null,
      action: 'costs.assign',
      subject: carrier,
      before: shown[0],
      after: shown[1],
    })
  })
}

function shownAssignment(one: CostsOfCarrier | undefined): Record<string, unknown> {
  if (!one) return { cost_list: null }
  return { cost_list: one.name, billed_on: one.billed_on, use_answers: one.use_answers }
}
