import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { countBulk } from '../../messaging/intake/store.ts'
import { PRIORITY, type Sender } from '../../messaging/draft.ts'
import { finish, postpone, type Job } from '../../queue/store.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { startWorker, type Worker } from '../../queue/worker.ts'
import type { Log } from '../../values/log.ts'
import { gatherStep } from '../estimate/gather.ts'
import { askCounts, CAMPAIGN_QUEUE, COUNT_QUEUE } from '../queues.ts'
import { awakeCountries, quietHoursOf } from '../quiet.ts'
import { countSlices, type CountDeps } from '../report/count.ts'
import { nextCount } from '../report/count-store.ts'
import { beginRunning, finishCampaign, noteAllAccepted } from '../state-store.ts'
import { findCampaign, type CampaignRow } from '../store.ts'
import { resolveBegun, sendSlice, type SendSliceDeps } from './send-slice.ts'
import { beginSlice, listCountries } from './slice-store.ts'
import { takeBack } from './take-back.ts'

export type CampaignWorkDeps = SendSliceDeps &
  CountDeps & {
    db: Db
    log: Log
    wakeups: Wakeups
    senderOf: (organisation_id: string) => Promise<(Sender & { suspended: boolean }) | undefined>
    /** The queues of all routes and their carriers. */
    route_queues: readonly string[]
  }

const TURN_MS = 1_500
/** With so many of an organisation's people in the intake no other slice is accepted: what is under way when a campaign is
 * paused is no more than these. */
const MOST_WAITING = 2_000
const ROOM_AGAIN_MS = 100
const LATER_MS = 1_000
const SUSPENDED_AGAIN_MS = 5_000
const LONGEST_NAP_MS = 60_000
const COUNT_EVERY_MS = 1_000
const SHORTEST_PAUSE_MS = 250

/** Walks through the people of campaigns, sends them slice by slice, and takes back what of them was canceled. */
export function startCampaigns(deps: CampaignWorkDeps): Worker {
  return startWorker(deps, {
    queue: CAMPAIGN_QUEUE,
    limit: 4,
    batch: 1,
    work: async (jobs) => {
      for (const job of jobs) await takeTurn(deps, job)
    },
  })
}

/** Counts what became of campaigns. */
export function startCampaignCounts(deps: CampaignWorkDeps): Worker {
  return startWorker(deps, {
    queue: COUNT_QUEUE,
    limit: 2,
    batch: 1,
    work: async (jobs) => {
      for (const job of jobs) await countTurn(deps, job)
    },
  })
}

/** A turn ends after a moment, so that the campaigns of others have theirs. */
async function takeTurn(deps: CampaignWorkDeps, job: Job): Promise<void> {
  const { organisation_id, subject_id } = job
  const sender = await deps.senderOf(organisation_id)
  for (const until = Date.now() + TURN_MS; Date.now() < until;) {
    const campaign = await findCampaign(deps.db, organisation_id, subject_id)
    if (!sender || !campaign || String(campaign.run) !== job.subject_key) return finish(deps.db, [job])
    if (sender.suspended && campaign.status !== 'canceled') return postpone(deps.db, [job], SUSPENDED_AGAIN_MS)
    const next = await takeStep(deps, sender, campaign)
    if (next === 'over') return finish(deps.db, [job])
    if (next > 0) return postpone(deps.db, [job], Math.min(next, LONGEST_NAP_MS))
  }
  await postpone(deps.db, [job], 0)
  deps.wakeups.wake(CAMPAIGN_QUEUE)
}

/** The next thing to do for a campaign. Says for how many milliseconds there is nothing more to do, or that it is over. */
async function takeStep(deps: CampaignWorkDeps, sender: Sender, campaign: CampaignRow): Promise<number | 'over'> {
  const { organisation_id } = sender
  switch (campaign.status) {
    case 'scheduled': {
      if (await beginRunning(deps.db, organisation_id, campaign.id, campaign.run)) return 0
      const wait_ms = campaign.send_at === null ? 0 : Date.parse(campaign.send_at) - Date.now()
      return Math.max(wait_ms, ROOM_AGAIN_MS)
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
      return 'over'
    case 'canceled':
      await resolveBegun(deps, organisation_id, campaign)
      await takeBack(deps, organisation_id, campaign.id)
      await transaction(deps.db, (tx) => askCounts(tx, organisation_id, campaign))
      return 'over'
    case 'draft':
    case 'estimated':
    case 'finished':
      return 'over'
  }
}

async function sendNext(deps: CampaignWorkDeps, sender: Sender, campaign: CampaignRow): Promise<number | 'over'> {
  const { organisation_id } = sender
  if (campaign.wait_ms > 0) return campaign.wait_ms
  if ((await countBulk(deps.db, organisation_id, PRIORITY.bulk)) >= MOST_WAITING) return ROOM_AGAIN_MS
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
    return now?.all_accepted ? 'over' : 0
  }
  return (await sendSlice(deps, sender, campaign, slice)) === 'later' ? LATER_MS : 0
}

async function countTurn(deps: CampaignWorkDeps, job: Job): Promise<void> {
  const { organisation_id, subject_id } = job
  const campaign = await findCampaign(deps.db, organisation_id, subject_id)
  if (!campaign || String(campaign.run) !== job.subject_key) return finish(deps.db, [job])
  for (const until = Date.now() + TURN_MS; Date.now() < until;) {
    if ((await countSlices(deps, organisation_id, campaign)) === 0) break
  }
  await finishCampaign(deps.db, organisation_id, subject_id)
  const wait_ms = await nextCount(deps.db, organisation_id, subject_id)
  const goes_on = campaign.status === 'running' || campaign.status === 'scheduled'
  if (wait_ms === undefined && !goes_on) return finish(deps.db, [job])
  const pause_ms = goes_on ? Math.min(wait_ms ?? COUNT_EVERY_MS, COUNT_EVERY_MS) : (wait_ms ?? COUNT_EVERY_MS)
  await postpone(deps.db, [job], Math.max(SHORTEST_PAUSE_MS, pause_ms))
}
