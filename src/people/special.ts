import { deleteRow, lockRows, updateRows, type ByNumber } from '../contacts/rows/row-store.ts'
import { endImport } from '../contacts/import/import-store.ts'
import { readEvent } from '../callbacks/formats/event.ts'
import { isRecord } from '../values/record.ts'
import { eraseRow, isAbout, scrubbed, type Outcome, type Step } from './rewrite.ts'
import {
  isFreshReport,
  isOnItsWay,
  lockImport,
  lockPhoneMessage,
  lockPurchase,
  lockSlice,
  renameOptout,
  revokeOtp,
  stopCallback,
} from './special-store.ts'
import { isAboutEvent, withoutNumber } from './spellings.ts'
import type { PersonTable } from './person-table.ts'
import { eraseDelivery, eraseIntake, eraseJob } from './waiting.ts'
import { removeRow, rewriteRow, type Row } from './walk-store.ts'

type Erase = (step: Step, table: PersonTable, row: Row) => Promise<Outcome>

/** Tables whose rows cannot simply lose the number. */
export const SPECIAL: Readonly<Record<string, Erase>> = {
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

/** Who has not been sent to leaves the slice, and is counted as dropped when it goes; who has been is nobody. */
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

/** Entries are a number as it was written, and values. */
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
 * A file that is being read is waited for; an upload that broke off an hour ago is canceled. Whatever is in it: the file
 * may be in UTF-16, and the number may be cut between two chunks.
 */
async function eraseChunk({ tx, organisation_id }: Step, _table: PersonTable, row: Row): Promise<Outcome> {
  const import_id = String(row.import_id)
  const found = await lockImport(tx, organisation_id, import_id)
  if (found?.under_way) return 'later'
  await endImport(tx, organisation_id, import_id, 'canceled', null)
  return 'done'
}

async function eraseImport(step: Step, table: PersonTable, row: Row): Promise<Outcome> {
  const found = await lockImport(step.tx, step.organisation_id, String(row.id))
  if (found?.under_way) return 'later'
  return eraseRow(step, table, row)
}

/**
 * The segments of a text to the person go, and nothing is reported about them. A text to somebody else that names the
 * number is waited for, until it is sent or given up: the number is then found where the message is.
 */
async function eraseLongText(step: Step, table: PersonTable, row: Row): Promise<Outcome> {
  return isAbout(step, table, row) ? eraseRow(step, table, row) : 'later'
}

/** A contact with the number goes; from one that names it somewhere else, such as in a note, the number goes. */
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

/** One that could still be verified is revoked first. */
async function eraseOtp(step: Step, table: PersonTable, row: Row): Promise<Outcome> {
  await revokeOtp(step.tx, step.organisation_id, String(row.id))
  return eraseRow(step, table, row)
}

/** The wish to be left alone stays, under a name by which it is found when somebody has the number again. */
async function eraseOptout(step: Step): Promise<Outcome> {
  const { tx, organisation_id, spelled, pseudonym } = step
  return (await renameOptout(tx, organisation_id, spelled.number, pseudonym)) ? 'done' : 'untouched'
}

/** A carrier whose ids are made of the number is waited for until it has reported; then the id is of no more use. */
async function eraseSubmission(step: Step, table: PersonTable, row: Row): Promise<Outcome> {
  const { tx, organisation_id, spelled, pseudonym } = step
  if (!spelled.isIn(String(row.carrier_message_id))) return eraseRow(step, table, row)
  const names = [spelled.number, pseudonym]
  if (await isOnItsWay(tx, organisation_id, String(row.message_id), names)) return 'later'
  return (await removeRow(tx, table, organisation_id, row)) ? 'done' : 'untouched'
}

/** A report that came just now is about to find its message. */
async function eraseReport(step: Step, table: PersonTable, row: Row): Promise<Outcome> {
  if (await isFreshReport(step.tx, String(row.id))) return 'later'
  return eraseRow(step, table, row)
}

/** Airtime that a vendor still has to be asked about is waited for: the vendor is asked with the number. */
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
 * Of what is about the person nothing more is told, and of what was told the kind and the time stay. What is about
 * somebody else, and names the number in a reference or an address, is told without it.
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

/** A retry still gets an answer, and charges nothing; what was sent to this person alone is not in it any more. */
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

/** Of a call that names the number, also in its address, all that was said goes: it may be a text to the person. */
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
