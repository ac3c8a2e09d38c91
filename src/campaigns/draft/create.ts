import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import type { ComposeDeps } from '../../messaging/compose/deps.ts'
import type { Sender } from '../../messaging/draft.ts'
import { newId } from '../../values/id.ts'
import { Refusal, type Fault } from '../../values/refusal.ts'
import { unlessKnown } from '../../values/unless-known.ts'
import { knownCampaign, shownCampaign } from '../read.ts'
import type { Campaign, CampaignBody, CampaignChange } from '../schema.ts'
import { findCampaignByKey, insertCampaign, lockCampaign, updateDraft, type CampaignRow } from '../store.ts'
import { checkCampaign } from './check.ts'

type Idempotency = { key: string; request_hash: Buffer }

/** Keeps a campaign as a draft. Nothing is sent or charged before it is estimated and started. */
export async function createCampaign(
  deps: ComposeDeps & { db: Db },
  sender: Sender,
  body: Partial<CampaignBody>,
  request: { shape_faults: readonly Fault[]; idempotency?: Idempotency | undefined },
): Promise<{ campaign: Campaign; replayed: boolean }> {
  const { organisation_id } = sender
  const { idempotency, shape_faults } = request
  const find = (key: string) => findCampaignByKey(deps.db, organisation_id, key)
  const make = async () => {
    const parts = await checkCampaign(deps, sender, body, shape_faults)
    const id = newId()
    const draft = { ...parts, id, status: 'draft' as const, is_list_send: false, run: 0, idempotency }
    const before = await transaction(deps.db, async (tx) => {
      if (await insertCampaign(tx, organisation_id, draft)) return undefined
      return findCampaignByKey(tx, organisation_id, idempotency?.key ?? '')
    })
    refuseConflict(before, idempotency)
    return { id: before?.id ?? id, replayed: before !== undefined }
  }
  const { id, replayed } = await unlessKnown(idempotency, find, make, (before) => ({ id: before.id, replayed: true }))
  return { campaign: shownCampaign(await knownCampaign(deps.db, organisation_id, id)), replayed }
}

export function refuseConflict(before: { request_hash: Buffer } | undefined, idempotency: Idempotency | undefined) {
  if (!before || idempotency?.request_hash.equals(before.request_hash)) return
  throw new Refusal('idempotency_conflict', 'This Idempotency-Key was used before with another request.')
}

/** Changes a campaign that has not begun. An estimate that it had counts no more. */
export async function changeCampaign(
  deps: ComposeDeps & { db: Db },
  sender: Sender,
  id: string,
  body: Partial<CampaignChange>,
  shape_faults: readonly Fault[],
): Promise<Campaign> {
  const { organisation_id } = sender
  const row = await knownCampaign(deps.db, organisation_id, id)
  const parts = await checkCampaign(deps, sender, changed(row, body), shape_faults)
  await transaction(deps.db, async (tx) => {
    const locked = await lockCampaign(tx, organisation_id, row.id)
    if (!locked || !isDraft(locked)) throw tooLate()
    await updateDraft(tx, organisation_id, row.id, parts)
  })
  return shownCampaign(await knownCampaign(deps.db, organisation_id, id))
}

export function isDraft({ status }: Pick<CampaignRow, 'status'>): boolean {
  return status === 'draft' || status === 'estimating' || status === 'estimated'
}

export function tooLate(): Refusal {
  return new Refusal('conflict', 'The campaign has begun, or is over: it cannot be changed any more.')
}

/** The body that would have made the campaign as it is to be. */
function changed(row: CampaignRow, change: Partial<CampaignChange>): Partial<CampaignBody> {
  const { name, smartlist_id, filters, send_at, pace_per_hour, quiet_from, quiet_until } = row
  const was = { name, smartlist_id, filters, send_at, pace_per_hour, quiet_from, quiet_until, ...row.message }
  const has_words = 'content' in change || 'template_id' in change || 'texts' in change
  const texts = row.texts.map(({ content, template_id, share }) => {
    return { ...(template_id === undefined ? { content } : { template_id }), share }
  })
  const merged = { ...was, ...(has_words ? {} : { texts }), ...change }
  if (merged.smartlist_id === null && change.filters === undefined) merged.filters = []
  const kept = Object.entries(merged).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(kept)
}
