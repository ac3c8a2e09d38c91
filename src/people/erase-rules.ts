import { deleteRow, lockRows, updateRows, type ByNumber } from '../contacts/rows/row-store.ts'
import { endImport } from '../contacts/import/import-store.ts'
import { readEvent } from '../callbacks/formats/event.ts'
import { isRecord } from '../values/record.ts'
import { eraseRow, isAbout, scrubbed, type Outcome, type Step } from './erase-row.ts'
import {
  isFreshReport,
  isInFlight,
  lockImport,
  lockPhoneMessage,
  lockPurchase,
  lockSlice,
  renameOptout,
  revokeOtp,
  stopCallback,
} from './erase-rules-store.ts'
import { isAboutEvent, withoutNumber } from './spellings.ts'
import type { PersonTable } from './person-table.ts'
import { eraseDelivery, eraseIntake, eraseJob } from './waiting.ts'
import { removeRow, rewriteRow, type Row } from './table-scan-store.ts'

type Erase = (step: Step, table: PersonTable, row: Row) => Promise<Outcome>

/** Tables with rules of their own; the others use `eraseRow`. */
export const ERASE_RULES: Readonly<Record<string, Erase>> = {
  intake: eraseIntake,
  deliveries: eraseDelivery,
  jobs: eraseJob,
  submissions: eraseSubmission,
  reports: eraseReport,
  campaign_slices: eraseSlice,
  campaign_uploads: eraseUpload,
  contact_import_chunks: eraseChunk,
  contact_imports: eraseImport,
  smpp_long_texts: eraseLongText,
  contact_rows: eraseContact,
  otps: eraseOtp,
  optouts: eraseOptout,
  purchases: erasePurchase,
  phone_messages: erasePhoneMessage,
  callbacks: eraseCallback,
  idempotency_keys: eraseAnswer,
  request_bursts: eraseCalls,
}

/** Removes a recipient from an unsent slice, where it counts as dropped; in a sent one the number becomes the pseudonym. */
async function eraseSlice(step: Step, table: PersonTable, row: Row): Promise<Outcome> {
  const { tx, organisation_id, spelled, pseudonym } = step
  const slice = await lockSlice(tx, organisation_id, String(row.campaign_id), Number(row.number))
  if (!slice) return 'untouched'
  if (slice.status === 'begun') return 'later'
  const recipients = slice.recipients.flatMap(([recipient, ...values]): unknown[] => {
    if (recipient !== spelled.number) return [withoutNumber([recipient, ...values], spelled, pseudonym)]
    return slice.status === 'waiting' ? [] : [[pseudonym, ...values.map(() => null)]]
  })
  return (await rewriteRow(tx, table, organisation_id, row, { recipients })) ? 'done' : 'untouched'
}

/** Entries consist of a number as uploaded, and values. */
async function eraseUpload(step: Step, table: PersonTable, row: Row): Promise<Outcome> {
  const { tx, organisation_id, spelled } = step
  const entries: unknown[] = Array.isArray(row.entries) ? row.entries : []
  const others = entries.filter((entry) => !(Array.isArray(entry) && spelled.is(String(entry[0]))))
  const changes = { ...scrubbed(step, table, { ...row, entries: others }), entries: others }
  if (spelled.isIn(JSON.stringify(others))) changes.entries = withoutList(step, others)
  return (await rewriteRow(tx, table, organisation_id, row, changes)) ? 'done' : 'untouched'
}

function withoutList({ spelled, pseudonym }: Step, list: readonly unknown[]): unknown[] {
  return list.map((entry) => withoutNumber(entry, spelled, pseudonym))
}

/**
 * Waits for an import in progress, and cancels an upload that was aborted an hour ago. The contents are not examined: the
 * file may be in UTF-16, and the number may be split between two chunks.
 */
async function eraseChunk({ tx, organisation_id }: Step, _table: PersonTable, row: Row): Promise<Outcome> {
  const import_id = String(row.import_id)
  const found = await lockImport(tx, organisation_id, import_id)
  if (found?.in_progress) return 'later'
  await endImport(tx, organisation_id, import_id, 'canceled', null)
  return 'done'
}

async function eraseImport(step: Step, table: PersonTable, row: Row): Promise<Outcome> {
  const found = await lockImport(step.tx, step.organisation_id, String(row.id))
  if (found?.in_progress) return 'later'
  return eraseRow(step, table, row)
}

/**
 * Deletes the segments of a text to the person, without a report. A text to another person that contains the number is
 * waited for until it is sent or given up: the number is then found in the message.
 */
async function eraseLongText(step: Step, table: PersonTable, row: Row): Promise<Outcome> {
  return isAbout(step, table, row) ? eraseRow(step, table, row) : 'later'
}

/** Deletes a contact with the number; in others that mention it, for example in a note, the number is replaced. */
async function eraseContact(step: Step, _table: PersonTable, row: Row): Promise<Outcome> {
  const { tx, organisation_id, spelled, pseudonym } = step
  const id = String(row.id)
  const [locked] = await lockRows(tx, organisation_id, [id])
  if (!locked) return 'untouched'
  if ([...Object.values(locked.cells), ...Object.values(locked.keys)].some((text) => spelled.is(text))) {
    await deleteRow(tx, organisation_id, id)
    return 'done'
  }
  const replaced = (texts: ByNumber): ByNumber =>
    Object.fromEntries(Object.entries(texts).map(([n, text]) => [n, spelled.replaceIn(text, pseudonym)]))
  const draft = { id, cells: replaced(locked.cells), keys: replaced(locked.keys), before: locked.keys }
  await updateRows(tx, organisation_id, [draft])
  return 'done'
}

/** Revokes a code that could still be verified before its row is erased. */
async function eraseOtp(step: Step, table: PersonTable, row: Row): Promise<Outcome> {
  await revokeOtp(step.tx, step.organisation_id, String(row.id))
  return eraseRow(step, table, row)
}

/** Keeps the opt-out under the pseudonym, by which it is found if the number is used again. */
async function eraseOptout(step: Step): Promise<Outcome> {
  const { tx, organisation_id, spelled, pseudonym } = step
  return (await renameOptout(tx, organisation_id, spelled.number, pseudonym)) ? 'done' : 'untouched'
}

/** If the carrier's id contains the number, waits for the report; then the id is no longer needed. */
async function eraseSubmission(step: Step, table: PersonTable, row: Row): Promise<Outcome> {
  const { tx, organisation_id, spelled, pseudonym } = step
  if (!spelled.isIn(String(row.carrier_message_id))) return eraseRow(step, table, row)
  const names = [spelled.number, pseudonym]
  if (await isInFlight(tx, organisation_id, String(row.message_id), names)) return 'later'
  return (await removeRow(tx, table, organisation_id, row)) ? 'done' : 'untouched'
}

/** A report that has just arrived is about to be matched. */
async function eraseReport(step: Step, table: PersonTable, row: Row): Promise<Outcome> {
  if (await isFreshReport(step.tx, String(row.id))) return 'later'
  return eraseRow(step, table, row)
}

/** Waits for an open purchase: the vendor's status is queried by the number. */
async function erasePurchase(step: Step, table: PersonTable, row: Row): Promise<Outcome> {
  const status = await lockPurchase(step.tx, step.organisation_id, String(row.id))
  if (isAbout(step, table, row) && (status === 'pending' || status === 'sent')) return 'later'
  return eraseRow(step, table, row)
}

async function erasePhoneMessage(step: Step, table: PersonTable, row: Row): Promise<Outcome> {
  if (await lockPhoneMessage(step.tx, String(row.id))) return 'later'
  return eraseRow(step, table, row)
}

/**
 * Stops callbacks about the person; of delivered ones only type and time stay. In a callback about another person that
 * contains the number in a reference or an address, the number is replaced.
 */
async function eraseCallback(step: Step, table: PersonTable, row: Row): Promise<Outcome> {
  const { tx, organisation_id, spelled, pseudonym } = step
  const { id, type, created_datetime, data } = readEvent(String(row.body))
  if (!isAboutEvent(data, spelled)) {
    const event: unknown = JSON.parse(String(row.body))
    const body = JSON.stringify(withoutNumber(event, spelled, pseudonym))
    const changes = { ...scrubbed(step, table, row), body }
    return (await rewriteRow(tx, table, organisation_id, row, changes)) ? 'done' : 'untouched'
  }
  const body = JSON.stringify({ id, type, created_datetime, data: { id: data.id, erased: true } })
  const url = spelled.replaceIn(String(row.url), pseudonym)
  return (await stopCallback(tx, organisation_id, String(row.id), { body, url })) ? 'done' : 'untouched'
}

/** A retry still gets its answer, and is not charged; the text of a message to this person alone is removed from it. */
async function eraseAnswer(step: Step, table: PersonTable, row: Row): Promise<Outcome> {
  const { tx, organisation_id, spelled, pseudonym } = step
  const changes = scrubbed(step, table, row)
  const answer = parsed(String(row.answer))
  if (isRecord(answer) && spelled.isIn(String(row.answer))) {
    const left = withoutNumber(answer, spelled, pseudonym)
    const recipients: unknown = isRecord(left) ? left.recipients : undefined
    if (isRecord(left) && Array.isArray(recipients) && recipients.every((one) => one === pseudonym)) delete left.content
    changes.answer = JSON.stringify(left)
  }
  return (await rewriteRow(tx, table, organisation_id, row, changes)) ? 'done' : 'untouched'
}

/** Deletes body and answer of a logged call that contains the number: they may hold a text to the person. */
async function eraseCalls(step: Step, table: PersonTable, row: Row): Promise<Outcome> {
  const { tx, organisation_id, spelled, pseudonym } = step
  const calls: unknown[] = Array.isArray(row.calls) ? row.calls : []
  const contents: unknown[] = Array.isArray(row.contents) ? row.contents : []
  const left = contents.map((said, n) => {
    if (!spelled.isIn(JSON.stringify([calls[n], said]))) return said
    const request_id = isRecord(said) ? withoutNumber(said.request_id, spelled, pseudonym) : ''
    return { request_id, body: null, answer: null, left_out: true }
  })
  const changes = { ...scrubbed(step, table, row), contents: left }
  return (await rewriteRow(tx, table, organisation_id, row, changes)) ? 'done' : 'untouched'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
