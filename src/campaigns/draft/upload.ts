import { nameKey } from '../../contacts/keys.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import { withoutHalves } from '../../values/input/storable.ts'
import { knownCampaign, shownCampaign } from '../read.ts'
import type { Campaign } from '../schema.ts'
import type { CampaignRow } from '../store.ts'
import { ENTRIES_PER_PART } from './copy-store.ts'
import { lockDraft, refuseConflict, type Request } from './create.ts'
import { readCsv } from './read-csv.ts'
import { MAX_UPLOADED, type UploadBody } from './upload-schema.ts'
import { deleteUploads, findUpload, insertUpload, type UploadEntry } from './upload-store.ts'

type Owner = { organisation_id: string }

/** Entries processed before the event loop gets control again. */
const ENTRIES_PER_TICK = 2_000

/** Adds recipients to a campaign. Invalid numbers are accepted here; the estimate reports who is left out and why. */
export async function uploadRecipients(
  deps: { db: Db },
  { organisation_id }: Owner,
  id: string,
  given: Buffer | Partial<UploadBody>,
  request: Request,
): Promise<Campaign> {
  const row = await knownCampaign(deps.db, organisation_id, id)
  const entries = await readEntries(given, request.shape_faults)
  await transaction(deps.db, async (tx) => {
    const campaign = await lockUploads(tx, organisation_id, row.id)
    const { idempotency } = request
    const before = idempotency && (await findUpload(tx, organisation_id, row.id, idempotency.key))
    refuseConflict(before, idempotency)
    if (before) return
    if (campaign.uploaded + entries.length > MAX_UPLOADED) {
      const message = `A campaign has at most ${MAX_UPLOADED.toLocaleString('en')} people.`
      refuseIfFaulty([{ field: 'recipients', message, type: 'less_than_equal' }])
    }
    await insertUpload(tx, organisation_id, row.id, partsOf(entries, campaign.uploads), idempotency)
  })
  return shownCampaign(await knownCampaign(deps.db, organisation_id, id))
}

/** Deletes all uploaded recipients. */
export async function removeRecipients(deps: { db: Db }, { organisation_id }: Owner, id: string): Promise<void> {
  const { id: known } = await knownCampaign(deps.db, organisation_id, id)
  await transaction(deps.db, async (tx) => {
    await lockUploads(tx, organisation_id, known)
    await deleteUploads(tx, organisation_id, known)
  })
}

async function lockUploads(tx: Tx, organisation_id: string, id: string): Promise<CampaignRow> {
  const campaign = await lockDraft(tx, organisation_id, id)
  if (campaign.smartlist_id !== null) {
    throw new Refusal('conflict', 'The campaign goes to a smartlist: remove smartlist_id to upload recipients.')
  }
  return campaign
}

async function readEntries(given: Buffer | Partial<UploadBody>, shape_faults: readonly Fault[]) {
  if (Buffer.isBuffer(given)) {
    refuseIfFaulty(shape_faults)
    return storable(await readCsv(given))
  }
  const { recipients, csv } = given
  const faults = [...shape_faults]
  if (recipients === undefined && csv === undefined && faults.length === 0) {
    const message = 'Give the recipients in `recipients` or `csv`, or send a text/csv body.'
    faults.push({ field: 'recipients', message, type: 'missing' }, { field: 'csv', message, type: 'missing' })
  }
  refuseIfFaulty(faults)
  if (recipients === undefined) return storable(await readCsv(Buffer.from(csv ?? '')))
  return storable(
    recipients.map(({ to, substitutions = {} }): UploadEntry => {
      const values = Object.entries(substitutions).map(([name, value]) => [nameKey(name), value])
      return [to, Object.fromEntries(values)]
    }),
  )
}

/** Removes characters that PostgreSQL cannot store. */
async function storable(entries: UploadEntry[]): Promise<UploadEntry[]> {
  const kept: UploadEntry[] = []
  for (const [n, [to, values]] of entries.entries()) {
    if (n > 0 && n % ENTRIES_PER_TICK === 0) await new Promise(setImmediate)
    const cleaned = Object.entries(values).map(([name, value]) => [clean(name), clean(value)])
    kept.push([clean(to), Object.fromEntries(cleaned)])
  }
  return kept
}

function clean(text: string): string {
  return withoutHalves(text.replaceAll('\u0000', ''))
}

function partsOf(entries: readonly UploadEntry[], before: number) {
  const parts = []
  for (let n = 0; n < entries.length; n += ENTRIES_PER_PART) {
    const own = entries.slice(n, n + ENTRIES_PER_PART)
    parts.push({ number: before + parts.length + 1, size: own.length, entries: own })
  }
  return parts
}
