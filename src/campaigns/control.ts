import { insufficientBalance } from '../billing/charge.ts'
import { readBalance } from '../billing/store.ts'
import { findSmartlist } from '../contacts/smartlist-store.ts'
import type { Db, Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { moneyToNumber } from '../values/money.ts'
import { Refusal, type Fault } from '../values/refusal.ts'
import { askCounts, askWorkers, CAMPAIGN_QUEUE } from './queues.ts'
import { knownCampaign, shownCampaign } from './read.ts'
import type { Campaign, StartBody } from './schema.ts'
import { beginEstimate, cancelCampaign, pauseCampaign, resumeCampaign, startCampaign } from './state-store.ts'
import { lockCampaign, type CampaignRow } from './store.ts'

export type ControlDeps = { db: Db; wakeups: Wakeups }
type Owner = { organisation_id: string }

/** What was worked out is believed for so long: prices, contacts and opt-outs change. */
const ESTIMATE_HOLDS_MS = 24 * 3_600_000

/** Has it worked out what the campaign would be and cost, and who would be left out. Asked again, it begins anew. */
export function estimateCampaign(deps: ControlDeps, owner: Owner, id: string): Promise<Campaign> {
  return change(deps, owner, id, async (tx, { organisation_id }, campaign) => {
    if (campaign.smartlist_id === null && campaign.uploaded === 0) {
      throw new Refusal('conflict', 'The campaign goes to nobody yet: upload people, or choose a smartlist.')
    }
    const begun = await beginEstimate(tx, organisation_id, campaign.id)
    if (!begun) throw notNow(campaign)
    await askWorkers(tx, organisation_id, { id: campaign.id, run: begun.run })
  })
}

/**
 * Lets it go, at once or at its time. Whoever asks says what they saw, people and money: if that is not what was worked
 * out last, nothing happens. Asked again, it is the same answer.
 */
export function startOf(deps: ControlDeps, owner: Owner, id: string, seen: StartBody): Promise<Campaign> {
  return change(deps, owner, id, async (tx, { organisation_id }, campaign) => {
    refuseUnseen(campaign, seen)
    if (['scheduled', 'running', 'paused', 'finished'].includes(campaign.status)) return
    if (campaign.status !== 'estimated') throw notNow(campaign)
    await refuseStale(tx, organisation_id, campaign)
    const { balance } = await readBalance(tx, organisation_id)
    if (balance < campaign.charge) throw insufficientBalance()
    await letGo(tx, organisation_id, campaign, startCampaign)
  })
}

/** No further slice is charged. What was handed to the intake before goes out. */
export function pauseOf(deps: ControlDeps, owner: Owner, id: string): Promise<Campaign> {
  return change(deps, owner, id, async (tx, { organisation_id }, campaign) => {
    if (campaign.status === 'paused') return
    if (!(await pauseCampaign(tx, organisation_id, campaign.id, 'by_hand'))) throw notNow(campaign)
  })
}

export function resumeOf(deps: ControlDeps, owner: Owner, id: string): Promise<Campaign> {
  return change(deps, owner, id, async (tx, { organisation_id }, campaign) => {
    if (campaign.status === 'running' || campaign.status === 'scheduled') return
    if (campaign.status !== 'paused') throw notNow(campaign)
    await letGo(tx, organisation_id, campaign, resumeCampaign)
  })
}

/** Ends it. What was charged and not handed over is taken back and refunded, by a worker. */
export function cancelOf(deps: ControlDeps, owner: Owner, id: string): Promise<Campaign> {
  return change(deps, owner, id, async (tx, { organisation_id }, campaign) => {
    if (campaign.status === 'canceled') return
    const ended = await cancelCampaign(tx, organisation_id, campaign.id)
    if (!ended) throw notNow(campaign)
    await askWorkers(tx, organisation_id, { id: campaign.id, run: ended.run })
  })
}

/** One after the other: whoever changes a campaign holds it. */
async function change(
  deps: ControlDeps,
  { organisation_id }: Owner,
  id: string,
  write: (tx: Tx, owner: Owner, campaign: CampaignRow) => Promise<void>,
): Promise<Campaign> {
  const { id: known } = await knownCampaign(deps.db, organisation_id, id)
  await transaction(deps.db, async (tx) => {
    const campaign = await lockCampaign(tx, organisation_id, known)
    if (campaign) await write(tx, { organisation_id }, campaign)
  })
  deps.wakeups.wake(CAMPAIGN_QUEUE)
  return shownCampaign(await knownCampaign(deps.db, organisation_id, known))
}

async function letGo(
  tx: Tx,
  organisation_id: string,
  { id, send_at }: CampaignRow,
  move: typeof startCampaign,
): Promise<void> {
  const delay_ms = send_at === null ? 0 : Math.max(0, Date.parse(send_at) - Date.now())
  const begun = await move(tx, organisation_id, id, delay_ms > 0 ? 'scheduled' : 'running')
  if (!begun) return
  await askWorkers(tx, organisation_id, { id, run: begun.run }, delay_ms)
  await askCounts(tx, organisation_id, { id, run: begun.run }, delay_ms)
}

function refuseUnseen({ people, charge }: CampaignRow, seen: StartBody): void {
  const cost = moneyToNumber(charge)
  const faults: Fault[] = []
  if (seen.people !== people) faults.push({ field: 'people', message: `The estimate says ${people}.`, type: 'invalid' })
  if (seen.charge !== cost) faults.push({ field: 'charge', message: `The estimate says ${cost}.`, type: 'invalid' })
  if (faults.length > 0) throw new Refusal('conflict', 'This is not what the estimate says: look at it again.', faults)
}

async function refuseStale(tx: Tx, organisation_id: string, campaign: CampaignRow): Promise<void> {
  const { smartlist_id, asked_datetime, estimated_datetime } = campaign
  const asked = Date.parse(asked_datetime ?? '')
  const age_ms = Date.now() - Date.parse(estimated_datetime ?? '')
  if (!(age_ms < ESTIMATE_HOLDS_MS)) throw new Refusal('conflict', 'The estimate is more than a day old: make another.')
  if (smartlist_id === null) return
  const list = await findSmartlist(tx, organisation_id, smartlist_id)
  if (!list) throw new Refusal('conflict', 'The smartlist was deleted.')
  if (list.updated_datetime !== null && Date.parse(list.updated_datetime) >= asked) {
    throw new Refusal('conflict', 'The smartlist was changed since the estimate: make another.')
  }
}

function notNow({ status }: CampaignRow): Refusal {
  return new Refusal('conflict', SENTENCES[status])
}

const SENTENCES: Record<CampaignRow['status'], string> = {
  draft: 'The campaign is a draft: have it estimated first.',
  estimating: 'The campaign is being estimated.',
  estimated: 'The campaign has not been started.',
  scheduled: 'The campaign is scheduled.',
  running: 'The campaign is running.',
  paused: 'The campaign is paused.',
  finished: 'The campaign is finished.',
  canceled: 'The campaign was canceled.',
}
