import { neededPlaceholders } from '../message.ts'
import { createHash } from 'node:crypto'
import type { Db, Tx } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { newId } from '../../values/id.ts'
import { Refusal } from '../../values/refusal.ts'
import { nameKey } from '../../contacts/keys.ts'
import { knownCampaign, shownCampaign } from '../read.ts'
import { FAILED } from '../failures.ts'
import { MAX_CAMPAIGN_NAME, type Campaign } from '../schema.ts'
import { findCampaignByKey, findResend, insertCampaign, lockCampaign, type CampaignRow } from '../store.ts'
import { refuseConflict, type Idempotency } from './create.ts'
import { copyUploads, uploadFailed } from './copy-store.ts'

type Owner = { organisation_id: string }
type Copied = { campaign: Campaign; replayed: boolean }

/** Creates a draft with the content and the recipients of a campaign, once per idempotency key. */
export async function copyCampaign(
  { db }: { db: Db },
  { organisation_id }: Owner,
  id: string,
  idempotency: Idempotency | undefined,
): Promise<Copied> {
  const { id: known } = await knownCampaign(db, organisation_id, id)
  const keyed = idempotency && ofCampaign(idempotency, known)
  const made = await transaction(db, async (tx) => {
    const campaign = await lockKnown(tx, organisation_id, known)
    const copy = { ...draftLike(campaign, 'copy'), idempotency: keyed }
    if (!(await insertCampaign(tx, organisation_id, copy))) {
      const before = await findCampaignByKey(tx, organisation_id, keyed?.key ?? '')
      refuseConflict(before, keyed)
      return { id: before?.id ?? copy.id, replayed: true }
    }
    await copyUploads(tx, organisation_id, { from: known, to: copy.id })
    return { id: copy.id, replayed: false }
  })
  return shown(db, organisation_id, made)
}

/**
 * Creates a draft for the recipients of a campaign whose delivery failed, once: a repeated request returns the same draft
 * until that is canceled. Recipients whose outcome is `unknown` may have received the message and are not included.
 */
export async function resendToFailed({ db }: { db: Db }, { organisation_id }: Owner, id: string): Promise<Copied> {
  const { id: known } = await knownCampaign(db, organisation_id, id)
  const made = await transaction(db, async (tx) => {
    const campaign = await lockKnown(tx, organisation_id, known)
    const before = await findResend(tx, organisation_id, known)
    if (before) return { id: before.id, replayed: true }
    if (campaign.status !== 'finished' && campaign.status !== 'canceled') {
      throw new Refusal('conflict', 'The campaign has not ended: some deliveries may still fail.')
    }
    const uploads = { smartlist_id: null, filters: [], number: null }
    const copy = { ...draftLike(campaign, 'failed recipients'), ...uploads, resend_of: known }
    await insertCampaign(tx, organisation_id, copy)
    const names = campaign.texts.map((text) =>
      neededPlaceholders(campaign.message.channel, text).map(({ name }) => nameKey(name)),
    )
    const people = await uploadFailed(tx, organisation_id, { from: known, to: copy.id, names, statuses: FAILED })
    if (people === 0) throw new Refusal('conflict', 'No delivery of the campaign failed.')
    return { id: copy.id, replayed: false }
  })
  return shown(db, organisation_id, made)
}

async function shown(db: Db, organisation_id: string, { id, replayed }: { id: string; replayed: boolean }) {
  return { campaign: shownCampaign(await knownCampaign(db, organisation_id, id)), replayed }
}

async function lockKnown(tx: Tx, organisation_id: string, id: string): Promise<CampaignRow> {
  const campaign = await lockCampaign(tx, organisation_id, id)
  if (!campaign) throw new Refusal('not_found', 'There is no such campaign.')
  return campaign
}

/** The parts of a campaign as a new draft without a start time. */
function draftLike(campaign: CampaignRow, what: string) {
  const { smartlist_id, filters, number, message, texts, pace_per_hour, quiet_from, quiet_until } = campaign
  const suffix = ` (${what})`
  const { send_at: _later, ...draft } = campaign.draft ?? {}
  return {
    id: newId(),
    status: 'draft' as const,
    is_list_send: false,
    run: 0,
    name: `${campaign.name.slice(0, MAX_CAMPAIGN_NAME - suffix.length).toWellFormed()}${suffix}`,
    smartlist_id,
    filters,
    number,
    message,
    texts,
    pace_per_hour,
    quiet_from,
    quiet_until,
    send_at: null,
    draft: campaign.draft && draft,
  }
}

/** With the same key, the copy of another campaign is another request. */
function ofCampaign({ key, request_hash }: Idempotency, campaign_id: string): Idempotency {
  return { key, request_hash: createHash('sha256').update(request_hash).update(campaign_id).digest() }
}
