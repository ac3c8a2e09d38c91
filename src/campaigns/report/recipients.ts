import type { Db } from '../../db/connect.ts'
import { decodeCursor } from '../../values/cursor.ts'
import { INVALID_CURSOR, PAGE_LIMIT, scrollTo, type Scroll } from '../../values/page.ts'
import { present } from '../../values/record.ts'
import { Refusal } from '../../values/refusal.ts'
import { findPart } from '../draft/upload-store.ts'
import { knownCampaign } from '../read.ts'
import { failureWords } from '../failures.ts'
import { findFailedAfter, findLeftOutAfter } from './report-store.ts'
import type { CampaignRecipient, RecipientOutcome, RecipientsQuery } from './schema.ts'

/** Recipients that are stored together: a part of an upload, a step of the estimate, or a slice. */
type Step = { number: number; entries: CampaignRecipient[] }

/** Steps read for one page. A page of recipients with a rare reason may be short, and continues behind the last step. */
const MAX_STEPS = 200

/** Some recipients of a campaign: those uploaded, those left out by the estimate, or those whose delivery failed. */
export async function listRecipients(
  { db }: { db: Db },
  { organisation_id }: { organisation_id: string },
  id: string,
  { outcome = 'uploaded', reason, limit = PAGE_LIMIT, query_id }: RecipientsQuery,
): Promise<{ recipients: CampaignRecipient[]; pagination: Scroll; meta: object }> {
  const { id: campaign_id } = await knownCampaign(db, organisation_id, id)
  const place = readPlace(query_id)
  const recipients: CampaignRecipient[] = []
  let { number, index } = place
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    // The step at the place itself, from its index on; then those behind it.
    const step = await READERS[outcome](db, organisation_id, campaign_id, number - 1)
    if (!step) return { recipients, pagination: scrollTo(limit, undefined), meta: {} }
    if (step.number > number) index = 0
    number = step.number
    for (; index < step.entries.length; index += 1) {
      const entry = step.entries[index]
      if (!entry || (reason !== undefined && entry.reason !== reason)) continue
      if (recipients.length === limit)
        return { recipients, pagination: scrollTo(limit, `${number} ${index}`), meta: {} }
      recipients.push(entry)
    }
    number += 1
    index = 0
  }
  return { recipients, pagination: scrollTo(limit, `${number} ${index}`), meta: {} }
}

type Reader = (db: Db, organisation_id: string, campaign_id: string, after: number) => Promise<Step | undefined>

const READERS: Record<RecipientOutcome, Reader> = {
  uploaded: async (...asked) => {
    const part = await findPart(...asked)
    return (
      part && {
        number: part.number,
        entries: part.entries.map(([recipient, substitutions]) => ({ recipient, substitutions })),
      }
    )
  },
  left_out: async (...asked) => {
    const step = await findLeftOutAfter(...asked)
    return step && { number: step.step, entries: step.entries.map(([recipient, reason]) => ({ recipient, reason })) }
  },
  failed: async (...asked) => {
    const slice = await findFailedAfter(...asked)
    return slice && { number: slice.number, entries: slice.failed.map(shownFailure) }
  },
}

type FailedSlice = NonNullable<Awaited<ReturnType<typeof findFailedAfter>>>

function shownFailure({ recipient, status, code, description, message_id }: FailedSlice['failed'][number]) {
  return {
    recipient,
    status,
    ...present('code', code),
    ...failureWords(status, code ?? ''),
    ...present('description', description),
    message_id,
  }
}

function readPlace(query_id: string | undefined): { number: number; index: number } {
  if (query_id === undefined || query_id === '0') return { number: 1, index: 0 }
  const read = /^(\d{1,9}) (\d{1,9})$/.exec(decodeCursor(query_id) ?? '')
  if (!read) throw new Refusal('invalid_request', 'The request is invalid.', [INVALID_CURSOR])
  return { number: Number(read[1]), index: Number(read[2]) }
}
