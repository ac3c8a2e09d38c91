import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { countBulk } from '../../messaging/intake/store.ts'
import { PRIORITY, type Sender } from '../../messaging/draft.ts'
import { startSlicedJobs, type JobSteps } from '../../queue/sliced-job.ts'
import type { Job } from '../../queue/store.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import type { Worker } from '../../queue/worker.ts'
import type { Log } from '../../values/log.ts'
import { gatherStep } from '../estimate/gather.ts'
import { CAMPAIGN_QUEUE, COUNT_QUEUE, enqueueCount } from '../queues.ts'
import { awakeCountries, quietHoursOf } from '../quiet.ts'
import { countSlices, type CountDeps } from '../report/count.ts'
import { nextCount } from '../report/count-store.ts'
import { beginRunning, finishCampaign, noteAllAccepted } from '../state-store.ts'
import { findCampaign, type CampaignRow } from '../store.ts'
import { resolveBegun, sendSlice, type SendSliceDeps } from './send-slice.ts'
import { beginSlice, listCountries } from './slice-store.ts'
import { cancelDeliveries } from './cancel-deliveries.ts'

export type CampaignWorkDeps = SendSliceDeps &
  CountDeps & {
    db: Db
    log: Log
    wakeups: Wakeups
    senderOf: (organisation_id: string) => Promise<(Sender & { suspended: boolean }) | undefined>
    /** The queues of all routes and their carriers. */
    route_queues: readonly string[]
  }

/**
 * Bulk recipients of an organisation that may wait in the intake; above this, no further slice is accepted. It bounds
 * what is still sent after a campaign is paused.
 */
const MAX_WAITING = 2_000
const INTAKE_FULL_MS = 100
const RETRY_MS = 1_000
const SUSPENDED_MS = 5_000
const MAX_DELAY_MS = 60_000
const COUNT_EVERY_MS = 1_000
const MIN_COUNT_DELAY_MS = 250

/** Estimates campaigns, sends them slice by slice, and cancels what a canceled campaign has waiting. */
export function startCampaigns(deps: CampaignWorkDeps): Worker {
  return startSlicedJobs(deps, { queue: CAMPAIGN_QUEUE, limit: 4 }, (job) => runCampaign(deps, job))
}

/** Counts the outcomes of campaigns. */
export function startCampaignCounts(deps: CampaignWorkDeps): Worker {
  return startSlicedJobs(deps, { queue: COUNT_QUEUE, limit: 2 }, (job) => countCampaign(deps, job))
}

/** A job is for one run of its campaign: a later start, pause or cancellation makes it obsolete. */
async function* runCampaign(deps: CampaignWorkDeps, { organisation_id, subject_id, subject_key }: Job): JobSteps {
  const sender = await deps.senderOf(organisation_id)
  for (;;) {
    const campaign = await findCampaign(deps.db, organisation_id, subject_id)
    if (!sender || !campaign || String(campaign.run) !== subject_key) return 'done'
    if (sender.suspended && campaign.status !== 'canceled') return SUSPENDED_MS
    const next = await runStep(deps, sender, campaign)
    if (next === 'done') return 'done'
    if (next > 0) return Math.min(next, MAX_DELAY_MS)
    yield
  }
}

/** Takes the next step of a campaign. Returns the milliseconds until there is another one, or `done`. */
async function runStep(deps: CampaignWorkDeps, sender: Sender, campaign: CampaignRow): Promise<number | 'done'> {
  const { organisation_id } = sender
  switch (campaign.status) {
    case 'scheduled': {
      if (await beginRunning(deps.db, organisation_id, campaign.id, campaign.run)) return 0
      const wait_ms = campaign.send_at === null ? 0 : Date.parse(campaign.send_at) - Date.now()
      return Math.max(wait_ms, INTAKE_FULL_MS)
    }
    case 'estimating':
      await gatherStep(deps, sender, campaign)
      return 0
    case 'running':
      if (campaign.gathered) return sendNext(deps, sender, campaign)
      await gatherStep(deps, sender, campaign)
      return 0
    case 'paused':
      await resolveBegun(deps, organisation_id, campaign)
      return 'done'
    case 'canceled':
      await resolveBegun(deps, organisation_id, campaign)
      await cancelDeliveries(deps, organisation_id, campaign.id)
      await transaction(deps.db, (tx) => enqueueCount(tx, organisation_id, campaign))
      return 'done'
    case 'draft':
    case 'estimated':
    case 'finished':
      return 'done'
  }
}

async function sendNext(deps: CampaignWorkDeps, sender: Sender, campaign: CampaignRow): Promise<number | 'done'> {
  const { organisation_id } = sender
  if (campaign.wait_ms > 0) return campaign.wait_ms
  if ((await countBulk(deps.db, organisation_id, PRIORITY.bulk)) >= MAX_WAITING) return INTAKE_FULL_MS
  const hours = quietHoursOf(campaign, sender)
  let countries: string[] | undefined
  if (hours) {
    const all = await listCountries(deps.db, organisation_id, campaign.id)
    const { awake, wait_ms } = awakeCountries(hours, all, sender.default_country)
    if (all.length > 0 && awake.length === 0) return wait_ms
    countries = awake
  }
  const slice = await transaction(deps.db, (tx) => beginSlice(tx, organisation_id, campaign, countries))
  if (!slice) {
    await noteAllAccepted(deps.db, organisation_id, campaign.id)
    const now = await findCampaign(deps.db, organisation_id, campaign.id)
    return now?.all_accepted ? 'done' : 0
  }
  return (await sendSlice(deps, sender, campaign, slice)) === 'later' ? RETRY_MS : 0
}

async function* countCampaign(deps: CampaignWorkDeps, { organisation_id, subject_id, subject_key }: Job): JobSteps {
  const campaign = await findCampaign(deps.db, organisation_id, subject_id)
  if (!campaign || String(campaign.run) !== subject_key) return 'done'
  while ((await countSlices(deps, organisation_id, campaign)) > 0) yield
  await finishCampaign(deps.db, organisation_id, subject_id)
  const wait_ms = await nextCount(deps.db, organisation_id, subject_id)
  const is_active = campaign.status === 'running' || campaign.status === 'scheduled'
  if (wait_ms === undefined && !is_active) return 'done'
  const delay_ms = is_active ? Math.min(wait_ms ?? COUNT_EVERY_MS, COUNT_EVERY_MS) : (wait_ms ?? COUNT_EVERY_MS)
  return Math.max(MIN_COUNT_DELAY_MS, delay_ms)
}
