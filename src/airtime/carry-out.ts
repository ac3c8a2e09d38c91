import type { PurchaseOutcome, RequeryOutcome, TopupCarrier, TopupOrder } from '../carriers/topup-carrier.ts'
import type { Db } from '../db/connect.ts'
import { finish, postpone, type Job } from '../queue/store.ts'
import type { ReservedPurchase } from './accept.ts'
import { judge, type RequerySchedule } from './judge.ts'
import type { PurchaseSteps } from './steps.ts'
import { newTry, reopenTry, type OpenPurchase, type Try } from './try-store.ts'

export type CarryOutDeps = {
  db: Db
  steps: PurchaseSteps
  vendors: ReadonlyMap<string, TopupCarrier>
  schedule: RequerySchedule
}

/** When to retry a purchase that another worker is processing. */
const BUSY_MS = 1_000

/** The first step of a purchase that this process accepted; its first try may have been stored with it. */
export async function begin(deps: CarryOutDeps, { job, purchase }: ReservedPurchase): Promise<void> {
  const { tried } = purchase
  return tried ? call(deps, job, purchase, tried) : buyFrom(deps, job, purchase, 0)
}

/** One step of a purchase: the next call of a vendor, or the next query. A purchase keeps its job until it has ended. */
export async function carryOut(deps: CarryOutDeps, job: Job): Promise<void> {
  const purchase = await deps.steps.read(job.organisation_id, job)
  if (!purchase) return finish(deps.db, [job])
  if (purchase.has_twin) return deps.steps.endAsDuplicate(job.organisation_id, job)
  const { tried } = purchase
  if (!tried) return buyFrom(deps, job, purchase, 0)
  switch (tried.status) {
    case 'failed':
    case 'error':
      return buyFrom(deps, job, purchase, tried.position + 1)
    case 'unreached':
      return buyAgain(deps, job, purchase, tried)
    case 'calling': // the process that called crashed before it stored the answer: only the vendor knows the outcome
    case 'accepted':
    case 'unclear':
      return ask(deps, job, purchase, tried)
    case 'success':
    case 'duplicate':
      throw new Error(`purchase ${purchase.id} is open, but its newest try says that it has ended`)
  }
}

/** The try is committed before the vendor is called. */
async function buyFrom(deps: CarryOutDeps, job: Job, purchase: OpenPurchase, position: number): Promise<void> {
  const name = purchase.vendors[position]
  if (name === undefined) throw new Error(`purchase ${purchase.id} has no vendor ${position}`)
  const { organisation_id, id, read_datetime } = purchase
  const vendor = deps.vendors.get(name)
  const reference = vendor?.referenceOf({ purchase_id: id, created_datetime: read_datetime }) ?? id
  const opened = await deps.steps.open(organisation_id, { purchase_id: id, position, vendor: name, reference })
  if (!opened) return postpone(deps.db, [job], BUSY_MS)
  await call(deps, job, purchase, newTry(position, name, reference))
}

/** Calls the vendor of a try that was just stored. */
async function call(deps: CarryOutDeps, job: Job, purchase: OpenPurchase, tried: Try): Promise<void> {
  const outcome: PurchaseOutcome = (await deps.vendors.get(tried.vendor)?.purchase(orderOf(purchase, tried))) ?? {
    kind: 'error',
    description: NOT_CONFIGURED,
  }
  await conclude(deps, job, purchase, tried, outcome, false)
}

async function buyAgain(deps: CarryOutDeps, job: Job, purchase: OpenPurchase, tried: Try): Promise<void> {
  const vendor = deps.vendors.get(tried.vendor)
  if (!vendor) return conclude(deps, job, purchase, tried, { kind: 'unclear', description: NOT_CONFIGURED }, false)
  if (!(await reopenTry(deps.db, purchase.organisation_id, purchase.id, tried))) {
    return postpone(deps.db, [job], BUSY_MS)
  }
  const again = { ...tried, status: 'calling' as const, calls: tried.calls + 1, call_age_s: 0 }
  await conclude(deps, job, purchase, again, await vendor.purchase(orderOf(purchase, again)), false)
}

async function ask(deps: CarryOutDeps, job: Job, purchase: OpenPurchase, tried: Try): Promise<void> {
  const vendor = deps.vendors.get(tried.vendor)
  const outcome: RequeryOutcome = vendor
    ? await vendor.requery(orderOf(purchase, tried))
    : { kind: 'unclear', description: NOT_CONFIGURED }
  await conclude(deps, job, purchase, tried, outcome, true)
}

const NOT_CONFIGURED = 'the vendor is not configured any more'

function orderOf({ organisation_id, id, recipient, network, amount, currency }: OpenPurchase, tried: Try): TopupOrder {
  const { reference, vendor_purchase_id } = tried
  return { organisation_id, purchase_id: id, reference, recipient, network, amount, currency, vendor_purchase_id }
}

async function conclude(
  deps: CarryOutDeps,
  job: Job,
  purchase: OpenPurchase,
  tried: Try,
  outcome: PurchaseOutcome | RequeryOutcome,
  asked: boolean,
): Promise<void> {
  const timeout_s = (deps.vendors.get(tried.vendor)?.timeout_ms ?? 0) / 1_000
  const verdict = judge(purchase, tried, outcome, { schedule: deps.schedule, timeout_s, asked })
  await deps.steps.record(purchase.organisation_id, { job, purchase, tried, outcome, asked, verdict })
}
