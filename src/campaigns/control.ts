import { insufficientBalance } from '../billing/charge.ts'
import { readBalance } from '../billing/store.ts'
import { findChangedTemplate } from '../carriers/whatsapp/template-store.ts'
import { findSmartlist } from '../contacts/smartlist-store.ts'
import type { Db, Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { moneyToNumber } from '../values/money.ts'
import { Refusal, type Fault } from '../values/refusal.ts'
import { CAMPAIGN_QUEUE, delayUntil, enqueueRun, enqueueStart } from './queues.ts'
import { knownCampaign, shownCampaign } from './read.ts'
import type { Campaign, StartBody } from './schema.ts'
import { beginEstimate, cancelCampaign, pauseCampaign, resumeCampaign, startCampaign } from './state-store.ts'
import { lockCampaign, type CampaignRow } from './store.ts'

export type ControlDeps = { db: Db; wakeups: Wakeups }
type Owner = { organisation_id: string; key_id?: string | null }

/** How long an estimate may be started: prices, contacts and opt-outs change. */
const MAX_ESTIMATE_AGE_MS = 24 * 3_600_000

/** Requests an estimate: recipients, cost and exclusions. A repeated request restarts it. */
export function estimateCampaign(deps: ControlDeps, owner: Owner, id: string): Promise<Campaign> {
  return change(deps, owner, id, async (tx, { organisation_id }, campaign) => {
    if (campaign.draft)
      throw new Refusal('conflict', 'The campaign is incomplete: save it without is_incomplete first.')
    if (campaign.smartlist_id === null && campaign.uploaded === 0) {
      throw new Refusal('conflict', 'The campaign has no recipients: upload some, or choose a smartlist.')
    }
    const begun = await beginEstimate(tx, organisation_id, campaign.id)
    if (!begun) throw notNow(campaign)
    await enqueueRun(tx, organisation_id, { id: campaign.id, run: begun.run })
  })
}

/**
 * Starts the campaign, now or at `send_at`. The caller confirms the people and the charge of the estimate; if they differ
 * from the last estimate, the start is refused. Repeating the request is safe.
 */
export function startOf(deps: ControlDeps, owner: Owner, id: string, seen: StartBody): Promise<Campaign> {
  return change(deps, owner, id, async (tx, { organisation_id }, campaign) => {
    refuseUnseen(campaign, seen)
    if (['scheduled', 'running', 'paused', 'finished'].includes(campaign.status)) return
    if (campaign.status !== 'estimated') throw notNow(campaign)
    await refuseStale(tx, organisation_id, campaign)
    const { balance, credit_limit } = await readBalance(tx, organisation_id)
    if (balance + credit_limit < campaign.charge) throw insufficientBalance()
    await begin(tx, organisation_id, campaign, (status) =>
      startCampaign(tx, organisation_id, campaign.id, status, owner.key_id ?? null),
    )
  })
}

/** Charges no further slice. Slices that were accepted before are still sent. */
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
    await begin(tx, organisation_id, campaign, (status) => resumeCampaign(tx, organisation_id, campaign.id, status))
  })
}

/** Cancels the campaign. A worker cancels and refunds the deliveries that were not submitted yet. */
export function cancelOf(deps: ControlDeps, owner: Owner, id: string): Promise<Campaign> {
  return change(deps, owner, id, async (tx, { organisation_id }, campaign) => {
    if (campaign.status === 'canceled') return
    const ended = await cancelCampaign(tx, organisation_id, campaign.id)
    if (!ended) throw notNow(campaign)
    await enqueueRun(tx, organisation_id, { id: campaign.id, run: ended.run })
  })
}

/** Serializes changes of a campaign by its row lock. */
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

async function begin(
  tx: Tx,
  organisation_id: string,
  { id, send_at }: CampaignRow,
  move: (status: 'scheduled' | 'running') => Promise<{ run: number } | undefined>,
): Promise<void> {
  const begun = await move(delayUntil(send_at) > 0 ? 'scheduled' : 'running')
  if (begun) await enqueueStart(tx, organisation_id, { id, run: begun.run }, send_at)
}

function refuseUnseen({ people, charge }: CampaignRow, seen: StartBody): void {
  const cost = moneyToNumber(charge)
  const faults: Fault[] = []
  if (seen.people !== people) faults.push({ field: 'people', message: `The estimate says ${people}.`, type: 'invalid' })
  if (seen.charge !== cost) faults.push({ field: 'charge', message: `The estimate says ${cost}.`, type: 'invalid' })
  if (faults.length > 0)
    throw new Refusal('conflict', 'The confirmed values differ from the estimate: read it again.', faults)
}

async function refuseStale(tx: Tx, organisation_id: string, campaign: CampaignRow): Promise<void> {
  const { smartlist_id, asked_datetime, estimated_datetime } = campaign
  const asked = Date.parse(asked_datetime ?? '')
  const age_ms = Date.now() - Date.parse(estimated_datetime ?? '')
  if (!(age_ms < MAX_ESTIMATE_AGE_MS))
    throw new Refusal('conflict', 'The estimate is more than a day old: request another.')
  const names = campaign.texts.flatMap(({ whatsapp }) => whatsapp?.name ?? [])
  const changed =
    names.length > 0 && asked_datetime !== null
      ? await findChangedTemplate(tx, organisation_id, names, asked_datetime)
      : undefined
  if (changed !== undefined) {
    throw new Refusal('conflict', `The WhatsApp template ${changed} was changed since the estimate: request another.`)
  }
  if (smartlist_id === null) return
  const list = await findSmartlist(tx, organisation_id, smartlist_id)
  if (!list) throw new Refusal('conflict', 'The smartlist was deleted.')
  if (list.updated_datetime !== null && Date.parse(list.updated_datetime) >= asked) {
    throw new Refusal('conflict', 'The smartlist was changed since the estimate: request another.')
  }
}

function notNow({ status }: CampaignRow): Refusal {
  return new Refusal('conflict', SENTENCES[status])
}

const SENTENCES: Record<CampaignRow['status'], string> = {
  draft: 'The campaign is a draft: request an estimate first.',
  estimating: 'The campaign is being estimated.',
  estimated: 'The campaign has not been started.',
  scheduled: 'The campaign is scheduled.',
  running: 'The campaign is running.',
  paused: 'The campaign is paused.',
  finished: 'The campaign is finished.',
  canceled: 'The campaign was canceled.',
}
