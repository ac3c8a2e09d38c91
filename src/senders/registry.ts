import type { Db, Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { isId, newId } from '../values/id.ts'
import { readPage, type PageQuery, type Pagination } from '../values/page.ts'
import { cleanDigits, dialPlan } from '../values/phone/phone.ts'
import { pickPresent } from '../values/record.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { MAX_SENDERS, type RegisteredSender, type SenderBody, type SenderChange } from './schema.ts'
import {
  countSenders,
  deleteSender,
  findSender,
  findSenderByName,
  insertSender,
  isDefaultSender,
  listSenders,
  lockSenders,
  updateSender,
  type SenderRow,
} from './store.ts'

type Owner = { organisation_id: string; default_country: string }

/** Registers a sender, which the operator approves or rejects. */
export async function createSender(
  deps: { db: Db },
  { organisation_id, default_country }: Owner,
  body: Partial<SenderBody>,
  shape_faults: readonly Fault[],
): Promise<RegisteredSender> {
  const faults = [...shape_faults]
  const misshapen = new Set(faults.map(({ field }) => field))
  const sender_id = misshapen.has('sender_id') ? '' : readSenderId(body.sender_id ?? '', default_country, faults)
  if (!misshapen.has('note')) checkNote(body.note, faults)
  const id = newId()
  await transaction(deps.db, async (tx) => {
    await lockSenders(tx, organisation_id)
    if ((await countSenders(tx, organisation_id)) >= MAX_SENDERS) {
      const message = `An organisation has at most ${MAX_SENDERS} senders.`
      faults.push({ field: 'senders', message, type: 'less_than_equal' })
    }
    await checkFree(tx, organisation_id, { id, sender_id }, faults)
    refuseIfFaulty(faults)
    const wish = { id, sender_id, class: body.class ?? ('transactional' as const), note: body.note ?? null }
    await insertSender(tx, organisation_id, wish)
  })
  return readSender(deps, organisation_id, id)
}

export async function readSender(deps: { db: Db }, organisation_id: string, id: string): Promise<RegisteredSender> {
  return shownSender(await known(deps.db, organisation_id, id))
}

export async function findSenders(
  deps: { db: Db },
  organisation_id: string,
  query: PageQuery,
): Promise<{ senders: RegisteredSender[]; pagination: Pagination }> {
  const { rows, pagination } = await listSenders(deps.db, organisation_id, readPage(query))
  return { senders: rows.map(shownSender), pagination }
}

export async function changeSender(
  deps: { db: Db },
  { organisation_id, default_country }: Owner,
  id: string,
  body: SenderChange,
  shape_faults: readonly Fault[],
): Promise<RegisteredSender> {
  await known(deps.db, organisation_id, id)
  const faults = [...shape_faults]
  const misshapen = new Set(faults.map(({ field }) => field))
  const wanted =
    body.sender_id === undefined || misshapen.has('sender_id')
      ? undefined
      : readSenderId(body.sender_id, default_country, faults)
  if (!misshapen.has('note')) checkNote(body.note, faults)
  await transaction(deps.db, async (tx) => {
    await lockSenders(tx, organisation_id)
    const before = await known(tx, organisation_id, id)
    const after = {
      id,
      sender_id: wanted ?? before.sender_id,
      class: body.class ?? before.class,
      note: body.note === undefined ? before.note : body.note,
    }
    await checkFree(tx, organisation_id, after, faults)
    refuseIfFaulty(faults)
    await updateSender(tx, organisation_id, after)
  })
  return readSender(deps, organisation_id, id)
}

export async function removeSender(deps: { db: Db }, organisation_id: string, id: string): Promise<void> {
  await transaction(deps.db, async (tx) => {
    await lockSenders(tx, organisation_id)
    const { sender_id } = await known(tx, organisation_id, id)
    if (await isDefaultSender(tx, organisation_id, sender_id)) {
      throw new Refusal('conflict', `${sender_id} is your default sender; choose another one in /settings first.`)
    }
    await deleteSender(tx, organisation_id, id)
  })
}

export function shownSender(row: SenderRow): RegisteredSender {
  return pickPresent(row, 'id', 'sender_id', 'state', 'class', 'note', 'reason', 'created_datetime', 'updated_datetime')
}

const LONGEST_NAME = 11
const NAME = /^[A-Za-z0-9 ._&-]*$/
/** Seven digits or more are a phone number, fewer a short code. */
const PHONE = /^\+?[0-9]{7,}$/

/** Normalizes a phone number, so that inbound texts to it are matched; a name stays as it is. */
function readSenderId(given: string, country: string, faults: Fault[]): string {
  const text = given.trim()
  const field = 'sender_id'
  if (PHONE.test(text.replace(/[ ()-]/g, ''))) {
    const number = cleanDigits(text, dialPlan(country))
    if (number !== undefined) return number
    faults.push({ field, message: 'This is neither a short code nor a phone number.', type: 'phone_invalid' })
  } else if (text === '') {
    faults.push({ field, message: 'A sender ID has at least one character.', type: 'string_too_short' })
  } else if (text.length > LONGEST_NAME) {
    faults.push({ field, message: `A sender ID has at most ${LONGEST_NAME} characters.`, type: 'string_too_long' })
  } else if (!NAME.test(text)) {
    const message = 'A sender ID is made of letters, digits, blanks and -_.& only.'
    faults.push({ field, message, type: 'invalid' })
  }
  return text
}

function checkNote(note: string | null | undefined, faults: Fault[]): void {
  if (!note?.includes('\u0000')) return
  faults.push({ field: 'note', message: 'This value holds a NUL character.', type: 'invalid' })
}

async function checkFree(
  tx: Tx,
  organisation_id: string,
  { id, sender_id }: { id: string; sender_id: string },
  faults: Fault[],
): Promise<void> {
  if (faults.some(({ field }) => field === 'sender_id')) return
  const other = await findSenderByName(tx, organisation_id, sender_id)
  if (!other || other.id === id) return
  faults.push({ field: 'sender_id', message: `You have a sender ${other.sender_id} already.`, type: 'invalid' })
}

async function known(sql: Db | Tx, organisation_id: string, id: string): Promise<SenderRow> {
  const row = isId(id) ? await findSender(sql, organisation_id, id) : undefined
  if (!row) throw new Refusal('not_found', 'There is no such sender.')
  return row
}
