import type { Db, Tx } from '../../db/connect.ts'
import { idArray } from '../../db/array.ts'
import { rows } from '../../db/rows.ts'
import { SLICE } from '../../messaging/intake/row.ts'
import { groupBy } from '../../values/group.ts'
import { lockCampaign, type CampaignRow } from '../store.ts'
import type { Left, Reached } from './reached.ts'
import type { Sums } from './sums.ts'

export type Step = { rows: number; place: string; reached: readonly Reached[]; left: readonly Left[] }

const MINUTES_PER_HOUR = 60

/**
 * Stores a step of the walk: those who were not met before, in slices, and what all of it comes to. Nothing where the
 * step was stored already, or the campaign was changed meanwhile.
 */
export async function storeStep(
  tx: Tx,
  organisation_id: string,
  { id, run, steps }: CampaignRow,
  step: Step,
  addUp: (before: Sums, reached: readonly Reached[], left: readonly Left[]) => Sums,
): Promise<void> {
  const campaign = await lockCampaign(tx, organisation_id, id)
  if (!campaign || campaign.run !== run || campaign.steps !== steps || campaign.gathered) return
  if (campaign.status !== 'estimating' && campaign.status !== 'running') return
  const fresh = await insertRecipients(tx, organisation_id, campaign, step.reached)
  const reached = step.reached.filter(({ entry }) => fresh.has(entry[0]))
  const again = step.reached.filter(({ entry }) => !fresh.has(entry[0]))
  const left = [...step.left, ...again.map(({ entry }) => ({ written: entry[0], reason: 'twice' as const }))]
  const slices = slicesOf(campaign, reached)
  if (slices.length > 0) await insertSlices(tx, organisation_id, id, slices)
  if (left.length > 0) {
    await tx`
      insert into campaign_left_out (organisation_id, campaign_id, step, entries)
      values (${organisation_id}, ${id}, ${steps + 1},
        ${JSON.stringify(left.map(({ written, reason }) => [written, reason]))}::text::jsonb)`
  }
  const sums = addUp(campaign, reached, left)
  await tx`
    update campaigns
    set place = ${step.place}, steps = ${steps + 1}, slices = ${campaign.slices + slices.length},
      rows = ${campaign.rows + step.rows}, people = ${sums.people}, charge = ${String(sums.charge)}::bigint,
      sizes = ${JSON.stringify(sums.sizes)}::text::jsonb, left_out = ${JSON.stringify(sums.left_out)}::text::jsonb,
      samples = ${JSON.stringify(sums.samples)}::text::jsonb, updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id}`
}

/** Those who were not met before in this walk. */
async function insertRecipients(
  tx: Tx,
  organisation_id: string,
  { id, estimates }: CampaignRow,
  reached: readonly Reached[],
): Promise<Set<string>> {
  const numbers = reached.map(({ entry }) => entry[0])
  const met = await tx<{ recipient: string }[]>`
    insert into campaign_recipients (organisation_id, campaign_id, estimate, recipient)
    select ${organisation_id}, ${id}, ${estimates}, recipient from unnest(${idArray(numbers)}::text[]) as given (recipient)
    on conflict (organisation_id, campaign_id, estimate, recipient) do nothing
    returning recipient`
  return new Set(met.map(({ recipient }) => recipient))
}

type NewSlice = { number: number; text_number: number; country: string; own: readonly Reached[] }

/** A slice has one text and, where there are quiet hours, one country; with a pace no more than go in a minute. */
function slicesOf({ slices, pace_per_hour }: CampaignRow, reached: readonly Reached[]): NewSlice[] {
  const size = pace_per_hour === null ? SLICE : Math.min(SLICE, Math.ceil(pace_per_hour / MINUTES_PER_HOUR))
  const made: NewSlice[] = []
  for (const own of groupBy(reached, ({ text_number, country }) => `${text_number} ${country}`).values()) {
    for (let n = 0; n < own.length; n += size) {
      const { text_number = 0, country = '' } = own[n] ?? {}
      made.push({ number: slices + made.length + 1, text_number, country, own: own.slice(n, n + size) })
    }
  }
  return made
}

async function insertSlices(tx: Tx, organisation_id: string, id: string, slices: readonly NewSlice[]): Promise<void> {
  await tx`
    insert into campaign_slices
      (organisation_id, campaign_id, number, text_number, country, recipients, people, charge)
    select ${organisation_id}, ${id}, number, text_number, country, recipients, people, charge
    from ${rows(tx, slices, 'given', {
      number: 'integer',
      text_number: 'smallint',
      country: 'text',
      recipients: ['jsonb', ({ own }) => own.map(({ entry }) => entry)],
      people: ['integer', ({ own }) => own.length],
      charge: ['bigint', ({ own }) => own.reduce((sum, { charge }) => sum + charge, 0n)],
    })}`
}

/** Numbers that were met are of no use once everybody was. Some at a time: a list may have a million. */
export async function forgetMet(db: Db, limit: number): Promise<void> {
  await db`
    delete from campaign_recipients gone
    using (
      select organisation_id, campaign_id, estimate, recipient
      from campaigns
      join campaign_recipients using (organisation_id)
      where campaign_id = campaigns.id
        and (gathered or estimate < estimates or campaigns.status in ('finished', 'canceled'))
      limit ${limit}
    ) old
    where gone.organisation_id = old.organisation_id and gone.campaign_id = old.campaign_id and gone.estimate = old.estimate
      and gone.recipient = old.recipient`
}
