import type { Db, Tx } from '../../db/connect.ts'
import { idArray } from '../../db/array.ts'
import { rows } from '../../db/rows.ts'
import { SLICE } from '../../messaging/intake/row.ts'
import { groupBy } from '../../values/group.ts'
import { lockCampaign, type CampaignRow } from '../store.ts'
import { addStep, type Left, type Reached } from './totals.ts'

export type Step = { rows: number; place: string; reached: readonly Reached[]; left: readonly Left[] }

const MINUTES_PER_HOUR = 60

/**
 * Stores one step of an estimate: the recipients not seen before, in slices, and the new totals. Stores nothing if the
 * step was stored already or the campaign was changed meanwhile.
 */
export async function storeStep(tx: Tx, organisation_id: string, { id, run, steps }: CampaignRow, step: Step) {
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
  const totals = addStep(campaign, reached, left)
  await tx`
    update campaigns
    set place = ${step.place}, steps = ${steps + 1}, slices = ${campaign.slices + slices.length},
      rows = ${campaign.rows + step.rows}, people = ${totals.people}, charge = ${String(totals.charge)}::bigint,
      sizes = ${JSON.stringify(totals.sizes)}::text::jsonb, left_out = ${JSON.stringify(totals.left_out)}::text::jsonb,
      samples = ${JSON.stringify(totals.samples)}::text::jsonb, updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id}`
}

/** Returns the numbers that this estimate has not seen before. */
async function insertRecipients(
  tx: Tx,
  organisation_id: string,
  { id, estimates }: CampaignRow,
  reached: readonly Reached[],
): Promise<Set<string>> {
  const numbers = reached.map(({ entry }) => entry[0])
  const fresh = await tx<{ recipient: string }[]>`
    insert into campaign_recipients (organisation_id, campaign_id, estimate, recipient)
    select ${organisation_id}, ${id}, ${estimates}, recipient from unnest(${idArray(numbers)}::text[]) as given (recipient)
    on conflict (organisation_id, campaign_id, estimate, recipient) do nothing
    returning recipient`
  return new Set(fresh.map(({ recipient }) => recipient))
}

type NewSlice = { number: number; text_number: number; country: string; own: readonly Reached[] }

/** A slice has one text and, with quiet hours, one country; with a pace at most the recipients of one minute. */
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

/** Deletes the numbers seen by estimates that are complete or obsolete, at most `limit` per call. */
export async function forgetSeenNumbers(db: Db, limit: number): Promise<void> {
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
