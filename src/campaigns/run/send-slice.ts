import { createHash } from 'node:crypto'
import { acceptDraft, type SendDeps } from '../../messaging/accept/send.ts'
import { draftOf } from '../../messaging/compose/compose.ts'
import { planSlice } from '../../messaging/compose/slice.ts'
import { PRIORITY, type Sender } from '../../messaging/draft.ts'
import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import type { SentSlice } from '../../probes/seeds.ts'
import { isRecord } from '../../values/record.ts'
import { Refusal, type RefusalCode } from '../../values/refusal.ts'
import { personOf, wordsOf } from '../message.ts'
import { findSpendingLimit } from '../../organisations/key-store.ts'
import { pauseCampaign } from '../state-store.ts'
import type { PauseReason } from '../schema.ts'
import type { CampaignRow } from '../store.ts'
import { listBegun, recordSlice, releaseSlice, revokeKey, type SliceRow } from './slice-store.ts'

export type SendSliceDeps = SendDeps & {
  db: Db
  /** Called with each slice that was sent by SMS, so that its text can be probed. */
  onSlice?: (slice: SentSlice) => void
}

/**
 * Composes, charges and stores a slice as one message, then records it. The idempotency key derives from the message id,
 * which was stored before: a worker that repeats the slice after a crash charges nothing twice.
 *
 * `later`: a temporary refusal; to be retried shortly.
 */
export async function sendSlice(
  deps: SendSliceDeps,
  sender: Sender,
  campaign: CampaignRow,
  slice: SliceRow,
): Promise<'sent' | 'stopped' | 'later'> {
  const { organisation_id } = sender
  const text = campaign.texts[slice.text_number]
  if (!text) throw new Error('A slice names a text that its campaign does not have.')
  const words = wordsOf(campaign, text, sender)
  const people = slice.recipients.map((entry) => personOf(words.names, entry))
  try {
    const { plan } = await planSlice(deps, sender, words, people)
    const reached = plan.priced.length
    if (reached === 0) {
      // No recipient is left. Record that, unless an interrupted worker has charged the slice before.
      if (slice.was_begun) await resolveBegun(deps, organisation_id, campaign)
      else await record(deps.db, organisation_id, campaign.id, slice, { people: 0, charge: 0n })
      return 'sent'
    }
    if (campaign.holds_price && plan.charge > slice.charge) {
      return await stop(deps, organisation_id, campaign, 'price_changed', null)
    }
    // The worker has waited for the end of the quiet hours: a charged message is sent now.
    const awake = { ...sender, quiet_from: null, quiet_until: null }
    const facts = { ...campaign.message, id: slice.message_id }
    const draft = { ...(await draftOf(deps, awake, plan, facts)), priority: PRIORITY.bulk, has_own_rows: true }
    const spending_limit = campaign.key_id === null ? null : await findSpendingLimit(deps.db, campaign.key_id)
    const { answer } = await acceptDraft(deps, { ...sender, spending_limit }, draft, {
      idempotency: keyOf(campaign.id, slice.message_id),
      answer: () => JSON.stringify({ people: reached, charge: String(plan.charge) }),
    })
    const charged = readAnswer(answer)
    if (!charged) return 'stopped'
    await record(deps.db, organisation_id, campaign.id, slice, charged)
    if (draft.channel === 'sms') {
      const sent = plan.priced.map(({ recipient, route }) => ({ recipient, route }))
      deps.onSlice?.({ campaign_id: campaign.id, sender_id: draft.sender_id, content: text.content, sent })
    }
    return 'sent'
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault
    const { code, message, faults } = fault
    if (code === 'insufficient_balance' || code === 'spending_limit')
      return stop(deps, organisation_id, campaign, code, message)
    if (code === 'invalid_request')
      return stop(deps, organisation_id, campaign, 'refused', faults[0]?.message ?? message)
    if (TEMPORARY.includes(code)) return 'later'
    throw fault
  }
}

/** The intake is full, the organisation exceeds its limit, or another worker is sending the same slice. */
const TEMPORARY: readonly RefusalCode[] = ['too_many_requests', 'unavailable', 'idempotency_conflict']

async function stop(
  deps: SendSliceDeps,
  organisation_id: string,
  campaign: CampaignRow,
  reason: Exclude<PauseReason, 'by_hand'>,
  fault: string | null,
): Promise<'stopped'> {
  await pauseCampaign(deps.db, organisation_id, campaign.id, reason, fault)
  await resolveBegun(deps, organisation_id, campaign)
  return 'stopped'
}

/**
 * Resolves slices that were begun but not recorded, because their worker died or is slow: a charged one is recorded, an
 * uncharged one has its key revoked and waits again.
 */
export async function resolveBegun(
  { db }: { db: Db },
  organisation_id: string,
  { id }: Pick<CampaignRow, 'id'>,
): Promise<void> {
  for (const slice of await listBegun(db, organisation_id, id)) {
    await transaction(db, async (tx) => {
      const known = await revokeKey(tx, organisation_id, { ...keyOf(id, slice.message_id), answer: REVOKED })
      const charged = readAnswer(known ?? REVOKED)
      if (!charged) await releaseSlice(tx, organisation_id, id, slice)
      else {
        const dropped = slice.people - charged.people
        await recordSlice(tx, organisation_id, id, { ...slice, ...charged, dropped })
      }
    })
  }
}

/** The stored response under a revoked key. */
const REVOKED = JSON.stringify({ revoked: true })

function keyOf(campaign_id: string, message_id: string): { key: string; request_hash: Buffer } {
  const key = `campaign ${campaign_id} ${message_id}`
  return { key, request_hash: createHash('sha256').update(key).digest() }
}

async function record(
  db: Db,
  organisation_id: string,
  campaign_id: string,
  { number, message_id, people }: SliceRow,
  charged: { people: number; charge: bigint },
): Promise<void> {
  const slice = { number, message_id, ...charged, dropped: people - charged.people }
  await transaction(db, (tx) => recordSlice(tx, organisation_id, campaign_id, slice))
}

/** Undefined if the key was revoked. */
function readAnswer(answer: string): { people: number; charge: bigint } | undefined {
  const read: unknown = JSON.parse(answer)
  if (!isRecord(read) || typeof read.people !== 'number' || typeof read.charge !== 'string') return undefined
  return { people: read.people, charge: BigInt(read.charge) }
}
