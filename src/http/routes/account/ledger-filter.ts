import { findReferredPurchases } from '../../../airtime/store.ts'
import type { LedgerFilter } from '../../../billing/ledger.ts'
import type { HidesLine } from '../../../billing/ledger-store.ts'
import type { CampaignQuery, LedgerQuery, LedgerTimes } from '../../../billing/schema.ts'
import { messagesOf } from '../../../campaigns/messages.ts'
import { isFurtherLine } from '../../../campaigns/messages-store.ts'
import { findLinesOf, findReferred } from '../../../messaging/read/charged-store.ts'
import { isId } from '../../../values/id.ts'
import { refuseIfFaulty, type Fault } from '../../../values/refusal.ts'
import { isStorable } from '../../../values/input/storable.ts'
import type { HttpDeps } from '../../deps.ts'
import { readTime } from '../../read-time.ts'

/** Maximum of objects with one reference. */
const MOST_OF_ONE_REFERENCE = 500
const DAY_MS = 86_400_000
const DAY = /^\d{4}-\d\d-\d\d$/

export type Times = { from_ms: number | undefined; until_ms: number | undefined; external_ref: string | undefined }

/** A date includes the whole day. */
export function readTimes({ from, until, external_ref }: LedgerTimes): Times {
  const faults: Fault[] = []
  const from_ms = readTime('from', from, faults)
  const until_ms = readTime('until', until, faults)
  if (external_ref !== undefined && !isStorable(external_ref)) {
    faults.push({ field: 'external_ref', message: 'No reference has such a character.', type: 'invalid' })
  }
  refuseIfFaulty(faults)
  const of_day = until !== undefined && DAY.test(until) ? DAY_MS - 1 : 0
  return {
    from_ms,
    until_ms: until_ms === undefined ? undefined : until_ms + of_day,
    external_ref: external_ref || undefined,
  }
}

/** The ledger filter with the entries of its messages: one entry often charges several messages. */
export async function readLedgerFilter(
  { db }: Pick<HttpDeps, 'db'>,
  organisation_id: string,
  query: LedgerQuery & CampaignQuery,
): Promise<LedgerFilter> {
  const { from_ms, until_ms, external_ref } = readTimes(query)
  const { kind, subject_id, campaign_id, group } = query
  const plain = { from_ms, until_ms, kind }
  if (campaign_id && (subject_id || external_ref !== undefined)) {
    const message = 'Give a campaign, a subject or a reference, not several of them.'
    refuseIfFaulty([{ field: 'campaign_id', message, type: 'invalid' }])
  }
  if (!subject_id && !campaign_id && external_ref === undefined) {
    const hides: HidesLine = (sql, line, after) => isFurtherLine(sql, organisation_id, line, after)
    return group === 'campaign' && kind === undefined ? { ...plain, hides } : plain
  }
  const subject_ids = campaign_id
    ? await messagesOf({ db }, organisation_id, campaign_id)
    : subject_id
      ? [subject_id].filter(isId)
      : await findSubjects({ db }, organisation_id, external_ref ?? '')
  return { ...plain, about: { subject_ids, lines: await findLinesOf(db, organisation_id, subject_ids) } }
}

async function findSubjects(
  { db }: Pick<HttpDeps, 'db'>,
  organisation_id: string,
  external_ref: string,
): Promise<string[]> {
  const found = await Promise.all([
    findReferred(db, organisation_id, external_ref, MOST_OF_ONE_REFERENCE),
    findReferredPurchases(db, organisation_id, external_ref, MOST_OF_ONE_REFERENCE),
  ])
  return found.flat()
}
