import type { Db, Tx } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import type { ComposeDeps } from '../../messaging/compose/deps.ts'
import type { Sender } from '../../messaging/draft.ts'
import { newId } from '../../values/id.ts'
import { Refusal, type Fault } from '../../values/refusal.ts'
import { unlessKnown } from '../../values/unless-known.ts'
import { knownCampaign, shownCampaign } from '../read.ts'
import type { Campaign, CampaignBody, CampaignChange } from '../schema.ts'
import {
  findCampaignByKey,
  insertCampaign,
  lockCampaign,
  updateDraft,
  type CampaignParts,
  type CampaignRow,
} from '../store.ts'
import { checkCampaign } from './check.ts'
import { incompleteParts } from './incomplete.ts'

export type Idempotency = { key: string; request_hash: Buffer }
export type Request = { shape_faults: readonly Fault[]; idempotency?: Idempotency | undefined }

/** Stores a campaign as a draft. Nothing is sent or charged before it is estimated and started. */
export async function createCampaign(
  deps: ComposeDeps & { db: Db },
  sender: Sender,
  body: Partial<CampaignBody>,
  request: Request,
): Promise<{ campaign: Campaign; replayed: boolean }> {
  const kind = { status: 'draft' as const, is_list_send: false, run: 0 }
  const { id, replayed } = await storeCampaign(deps, sender, body, request, kind)
  return { campaign: shownCampaign(await knownCampaign(deps.db, sender.organisation_id, id)), replayed }
}

/** Checks and stores a campaign, once per idempotency key. `also` joins the transaction that inserts it. */
export async function storeCampaign(
  deps: ComposeDeps & { db: Db },
  sender: Sender,
  body: Partial<CampaignBody>,
  { shape_faults, idempotency }: Request,
  kind: Pick<CampaignRow, 'status' | 'is_list_send' | 'run'> & { key_id?: string | null },
  also: (tx: Tx, campaign: Pick<CampaignRow, 'id' | 'run' | 'send_at'>) => Promise<void> = async () => {},
): Promise<{ id: string; replayed: boolean }> {
  const { organisation_id } = sender
  const find = (key: string) => findCampaignByKey(deps.db, organisation_id, key)
  const make = async () => {
    const parts = await partsOf(deps, sender, body, shape_faults)
    const campaign = { ...parts, ...kind, id: newId(), idempotency }
    const before = await transaction(deps.db, async (tx) => {
      if (!(await insertCampaign(tx, organisation_id, campaign))) {
        return findCampaignByKey(tx, organisation_id, idempotency?.key ?? '')
      }
      await also(tx, campaign)
      return undefined
    })
    refuseConflict(before, idempotency)
    return { id: before?.id ?? campaign.id, replayed: before !== undefined }
  }
  return unlessKnown(idempotency, find, make, ({ id }) => ({ id, replayed: true }))
}

export function refuseConflict(before: { request_hash: Buffer } | undefined, idempotency: Idempotency | undefined) {
  if (!before || idempotency?.request_hash.equals(before.request_hash)) return
  throw new Refusal('idempotency_conflict', 'This Idempotency-Key was used before with another request.')
}

/** Changes a campaign that has not started. Its estimate, if any, is discarded. */
export async function changeCampaign(
  deps: ComposeDeps & { db: Db },
  sender: Sender,
  id: string,
  body: Partial<CampaignChange>,
  shape_faults: readonly Fault[],
): Promise<Campaign> {
  const { organisation_id } = sender
  const row = await knownCampaign(deps.db, organisation_id, id)
  const parts = await partsOf(deps, sender, changed(row, body), shape_faults)
  await transaction(deps.db, async (tx) => {
    await lockDraft(tx, organisation_id, row.id)
    await updateDraft(tx, organisation_id, row.id, parts)
  })
  return shownCampaign(await knownCampaign(deps.db, organisation_id, id))
}

/** The checked parts of a campaign, or the fields of one that is saved incomplete. */
async function partsOf(
  deps: ComposeDeps & { db: Db },
  sender: Sender,
  { is_incomplete, ...body }: Partial<CampaignBody>,
  shape_faults: readonly Fault[],
): Promise<CampaignParts> {
  return (is_incomplete === true ? incompleteParts : checkCampaign)(deps, sender, body, shape_faults)
}

/** Locks a campaign that can still be changed. */
export async function lockDraft(tx: Tx, organisation_id: string, id: string): Promise<CampaignRow> {
  const campaign = await lockCampaign(tx, organisation_id, id)
  if (campaign && ['draft', 'estimating', 'estimated'].includes(campaign.status)) return campaign
  throw new Refusal('conflict', 'The campaign has started or ended: it cannot be changed any more.')
}

/** The request body that would have created the campaign with the change applied. */
function changed(row: CampaignRow, change: Partial<CampaignChange>): Partial<CampaignBody> {
  const { name, smartlist_id, filters, send_at, pace_per_hour, quiet_from, quiet_until } = row
  const saved = { name, smartlist_id, filters, send_at, pace_per_hour, quiet_from, quiet_until, ...row.message }
  const texts = row.texts.map(({ content, template_id, share }) => {
    return { ...(template_id === undefined ? { content } : { template_id }), share }
  })
  const was: Partial<CampaignChange> = row.draft ?? { ...saved, texts }
  // A change of the text replaces all texts, however they were given.
  const { content: _content, template_id: _template, texts: _texts, ...others } = was
  const has_texts = 'content' in change || 'template_id' in change || 'texts' in change
  const merged = { ...(has_texts ? others : was), ...change }
  if (merged.smartlist_id === null && change.filters === undefined) merged.filters = []
  const kept = Object.entries(merged).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(kept)
}
