import type { PurchaseOutcome, RequeryOutcome, TopupOrder } from '../carriers/topup-carrier.ts'
import { transaction } from '../db/transaction.ts'
import { finish, postpone, type Job } from '../queue/store.ts'
import { announceEnd, record, type RecordDeps } from './record.ts'
import { settlePurchase } from './settle.ts'
import { hasEarlierTwin, openTry, readOpen, reopenTry, type OpenPurchase, type Try } from './try-store.ts'

export type CarryOutDeps = RecordDeps & { duplicate_minutes: number }

/** Another worker has the purchase in hand; it is looked at again after this. */
const BUSY_MS = 1_000

/** One step of a purchase: the next call, or the next question. A purchase keeps its job until it is over. */
export async function carryOut(deps: CarryOutDeps, job: Job): Promise<void> {
  const purchase = await readOpen(deps.db, job.organisation_id, job.subject_id)
  if (!purchase) return finish(deps.db, [job.id])
  const { tried } = purchase
  if (!tried) {
    const { organisation_id, id } = purchase
    if (await hasEarlierTwin(deps.db, organisation_id, id, deps.duplicate_minutes)) return endAsDuplicate(deps, job)
    return buyFrom(deps, job, purchase, 0)
  }
  switch (tried.status) {
    case 'failed':
    case 'error':
      return buyFrom(deps, job, purchase, tried.position + 1)
    case 'unreached':
      return buyAgain(deps, job, purchase, tried)
    case 'calling': // the answer was lost with the process that called: what became of it only the vendor can tell
    case 'accepted':
    case 'unclear':
      return ask(deps, job, purchase, tried)
    case 'success':
    case 'duplicate':
      throw new Error(`purchase ${purchase.id} is open, but its newest try is ${tried.status}`)
  }
}

async function endAsDuplicate(deps: CarryOutDeps, job: Job): Promise<void> {
  const settled = await transaction(deps.db, async (tx) => {
    await finish(tx, [job.id])
    return settlePurchase(tx, job.organisation_id, job.subject_id, 'duplicate')
  })
  if (settled) announceEnd(deps, settled)
}

/** The try is written down, and committed, before the vendor hears of it. */
async function buyFrom(deps: CarryOutDeps, job: Job, purchase: OpenPurchase, position: number): Promise<void> {
  const name = purchase.vendors[position]
  if (name === undefined) throw new Error(`purchase ${purchase.id} has no vendor ${position}`)
  const vendor = deps.vendors.get(name)
  const created = { purchase_id: purchase.id, created_datetime: purchase.read_datetime }
  const reference = vendor?.referenceOf(created) ?? purchase.id
  const tried = { position, vendor: name, reference, status: 'calling' as const }
  if (!(await openTry(deps.db, purchase.organisation_id, purchase.id, tried))) {
    return postpone(deps.db, [job.id], BUSY_MS)
  }
  const fresh = { ...tried, calls: 1, requeries: 0, vendor_purchase_id: null, age_s: 0, call_age_s: 0 }
  const outcome: PurchaseOutcome = vendor ? await vendor.purchase(orderOf(purchase, fresh)) : NOT_CONFIGURED
  await record(deps, job, purchase, fresh, outcome, false)
}

const NOT_CONFIGURED = { kind: 'error' as const, description: 'the vendor is not configured any more' }

async function buyAgain(deps: CarryOutDeps, job: Job, purchase: OpenPurchase, tried: Try): Promise<void> {
  const vendor = deps.vendors.get(tried.vendor)
  if (!vendor) return record(deps, job, purchase, tried, { kind: 'unclear', ...NO_VENDOR }, false)
  if (!(await reopenTry(deps.db, purchase.organisation_id, purchase.id, tried))) {
    return postpone(deps.db, [job.id], BUSY_MS)
  }
  const again = { ...tried, status: 'calling' as const, calls: tried.calls + 1, call_age_s: 0 }
  await record(deps, job, purchase, again, await vendor.purchase(orderOf(purchase, again)), false)
}

async function ask(deps: CarryOutDeps, job: Job, purchase: OpenPurchase, tried: Try): Promise<void> {
  const vendor = deps.vendors.get(tried.vendor)
  const outcome: RequeryOutcome = vendor
    ? await vendor.requery(orderOf(purchase, tried))
    : { kind: 'unclear', ...NO_VENDOR }
  await record(deps, job, purchase, tried, outcome, true)
}

const NO_VENDOR = { description: NOT_CONFIGURED.description }

function orderOf({ organisation_id, id, recipient, network, amount, currency }: OpenPurchase, tried: Try): TopupOrder {
  const { reference, vendor_purchase_id } = tried
  return { organisation_id, purchase_id: id, reference, recipient, network, amount, currency, vendor_purchase_id }
}
