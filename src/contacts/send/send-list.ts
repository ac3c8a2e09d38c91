import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { planMessage } from '../../messaging/compose/plan.ts'
import type { Sender } from '../../messaging/draft.ts'
import type { SendDeps } from '../../messaging/accept/send.ts'
import type { SendBody } from '../../messaging/schema.ts'
import { enqueue } from '../../queue/store.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { findTemplate } from '../../templates/store.ts'
import { isId, newId } from '../../values/id.ts'
import { moneyToNumber } from '../../values/money.ts'
import { readPattern } from '../../values/placeholders.ts'
import { present } from '../../values/present.ts'
import { Refusal, type Fault } from '../../values/refusal.ts'
import { withoutHalves } from '../../values/storable.ts'
import { openTable, type Owner } from '../table.ts'
import { unknownSmartlist } from '../query/search.ts'
import { findSmartlist } from '../smartlist-store.ts'
import { unknownNames } from './placeholders.ts'
import type { ListSend } from './schema.ts'
import { endSend, findSend, findSendByKey, insertSend, type SendRow } from './send-store.ts'
import { SEND_LIST_QUEUE } from './work.ts'

type Idempotency = { key: string; request_hash: Buffer }

/** Takes a message to a smartlist; a job sends and charges it chunk by chunk. Checked as any other message is. */
export async function sendToList(
  deps: SendDeps & { db: Db; wakeups: Wakeups },
  sender: Sender,
  body: Partial<SendBody>,
  request: { shape_faults: readonly Fault[]; idempotency?: Idempotency | undefined },
): Promise<{ send: ListSend; replayed: boolean }> {
  const { organisation_id } = sender
  const table = await openTable(deps, sender)
  const faults = request.shape_faults.filter(({ field }) => field !== 'recipients')
  const { smartlist_id } = body
  const list = isId(smartlist_id) ? await findSmartlist(deps.db, organisation_id, smartlist_id) : undefined
  const column = table.columns.find(({ type }) => type === 'PHONE NUMBER')
  if (!column) {
    const message = 'The contact list has no column of type PHONE NUMBER.'
    faults.push({ field: 'smartlist_id', message, type: 'invalid' })
  }
  // Columns are what personalises a message to a list.
  const { template_id, personalisation: _of_recipients, ...rest } = body
  const template = isId(template_id) ? await findTemplate(deps.db, organisation_id, template_id) : undefined
  const words = template ? { ...rest, content: template.content } : { ...rest, ...present('template_id', template_id) }
  const is_sound = template !== undefined || !faults.some(({ field }) => field === 'content')
  for (const name of unknownNames(table, readPattern(is_sound ? (words.content ?? '') : ''))) {
    const message = `There is no column ${name} to fill the placeholder from.`
    faults.push({ field: template ? 'template_id' : 'content', message, type: 'unknown_placeholder' })
  }
  // A number of the organisation's own country stands in for the recipients; each is checked again when it is sent to.
  const probe = `${table.plan.calling_code}8000000000`
  const plan = await planMessage({ ...deps, closed_windows: 'skip' }, sender, { ...words, recipients: probe }, faults)
  if (!list || !column) throw unknownSmartlist()

  const { external_ref, is_trackable, smart_encoding, callback, route_class } = body
  const { send_at } = plan
  const message = {
    channel: plan.channel,
    ...present('sender_id', plan.sender_id),
    content: plan.source.content,
    ...(template ? { template_id: template.id, template_version: template.version } : {}),
    external_ref,
    is_trackable,
    smart_encoding,
    callback,
    route_class,
    send_at,
  }
  const id = newId()
  const outcome = await transaction(deps.db, async (tx) => {
    const send = {
      id,
      smartlist_id: list.id,
      number: column.number,
      message: JSON.parse(JSON.stringify(message), (_key, one: unknown) =>
        typeof one === 'string' ? withoutHalves(one) : one,
      ),
      idempotency: request.idempotency,
    }
    if (!(await insertSend(tx, organisation_id, send)))
      return findSendByKey(tx, organisation_id, request.idempotency?.key ?? '')
    const delay_ms = send_at === undefined ? 0 : Math.max(0, Date.parse(send_at) - Date.now())
    await enqueue(tx, SEND_LIST_QUEUE, [{ lane: organisation_id, organisation_id, subject_id: id, delay_ms }])
    return undefined
  })
  if (outcome && !request.idempotency?.request_hash.equals(outcome.request_hash)) {
    throw new Refusal('idempotency_conflict', 'This Idempotency-Key was used before with another request.')
  }
  deps.wakeups.wake(SEND_LIST_QUEUE)
  const row = await known(deps.db, organisation_id, outcome?.id ?? id)
  return { send: shown({ ...row, ...AT_FIRST }), replayed: outcome !== undefined }
}

export async function readListSend(deps: { db: Db }, { organisation_id }: Owner, id: string): Promise<ListSend> {
  return shown(await known(deps.db, organisation_id, id))
}

/** What has been sent stays sent. A send that has ended stays as it is. */
export async function cancelListSend(deps: { db: Db }, { organisation_id }: Owner, id: string): Promise<void> {
  const { id: found } = await known(deps.db, organisation_id, id)
  await endSend(deps.db, organisation_id, found, 'canceled', null)
}

/** The answer to a send is the same when it is asked for again. */
const AT_FIRST = {
  status: 'queued' as const,
  rows: 0,
  accepted: 0,
  duplicates: 0,
  without_number: 0,
  incomplete: 0,
  refused: 0,
  charge: 0n,
  fault: null,
  updated_datetime: null,
}

async function known(db: Db, organisation_id: string, id: string): Promise<SendRow> {
  const row = isId(id) ? await findSend(db, organisation_id, id) : undefined
  if (!row) throw new Refusal('not_found', 'There is no such message to a list.')
  return row
}

function shown(row: SendRow): ListSend {
  const { channel, sender_id, content, template_id, template_version, external_ref, callback, send_at } = row.message
  const { id, smartlist_id, status, rows, accepted, duplicates, without_number, incomplete, refused } = row
  return {
    id,
    smartlist_id,
    status,
    ...present('sender_id', sender_id),
    channel,
    content,
    ...present('template_id', template_id),
    ...present('template_version', template_version),
    ...present('external_ref', external_ref),
    ...present('callback', callback),
    ...present('send_at', send_at),
    rows,
    accepted,
    duplicates,
    without_number,
    incomplete,
    refused,
    charge: moneyToNumber(row.charge),
    ...present('fault', row.fault),
    created_datetime: row.created_datetime,
    ...present('updated_datetime', row.updated_datetime),
  }
}
