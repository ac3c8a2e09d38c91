import type { Db, Tx } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { enqueue } from '../../queue/store.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { isId } from '../../values/id.ts'
import { isRecord } from '../../values/record.ts'
import { Refusal } from '../../values/refusal.ts'
import {
  clearMessage,
  clearReceived,
  dropNotices,
  findAnswers,
  isWithPhone,
  lockMessage,
  writeAnswer,
} from './store.ts'

/** Logged calls that show the text of a message which was removed. */
export const REDACT_QUEUE = 'messages:redact'
/** By then every process has written its log of the calls it answered before. */
const LOG_SETTLES_MS = 3_000

/**
 * Removes the text of a message that was sent or received wherever it is stored; with `deletes` it is also marked as
 * deleted, or, if it was received, removed. Deliveries, charges and ledger lines stay. A message that is still to be sent
 * is refused with a conflict. The log of calls is cleaned by a worker, since it has no index by message.
 */
export async function redactMessage(
  deps: { db: Db; wakeups: Pick<Wakeups, 'wake'> },
  organisation_id: string,
  id: string,
  { deletes }: { deletes: boolean },
): Promise<void> {
  if (!isId(id)) throw unknownMessage()
  await transaction(deps.db, async (tx) => {
    const message = await lockMessage(tx, organisation_id, id)
    if (message?.is_deleted) throw unknownMessage()
    if (message) {
      const { in_progress, created_datetime, carriers } = message
      if (in_progress || (await isWithPhone(tx, organisation_id, id, carriers))) throw inProgress()
      await clearMessage(tx, organisation_id, id, { deletes, carriers })
      await clearAnswers(tx, organisation_id, id, created_datetime)
    } else {
      if (!(await clearReceived(tx, organisation_id, id, { deletes }))) throw unknownMessage()
      await dropNotices(
        tx,
        organisation_id,
        id,
        JSON.stringify({ id, type: 'text.received', data: { id, erased: true } }),
      )
    }
    const job = { lane: organisation_id, organisation_id, subject_id: id, delay_ms: LOG_SETTLES_MS }
    await enqueue(tx, REDACT_QUEUE, [job])
  })
  deps.wakeups.wake(REDACT_QUEUE, LOG_SETTLES_MS)
}

/** A retry still gets an answer and charges nothing, but without the text. */
async function clearAnswers(tx: Tx, organisation_id: string, id: string, created_datetime: string): Promise<void> {
  for (const { key, answer } of await findAnswers(tx, organisation_id, id, created_datetime)) {
    const answered: unknown = JSON.parse(answer)
    if (!isRecord(answered) || answered.id !== id) continue
    const { content: _content, personalisation: _personalisation, ...rest } = answered
    await writeAnswer(tx, organisation_id, key, JSON.stringify(rest))
  }
}

function unknownMessage(): Refusal {
  return new Refusal('not_found', 'There is no such message.')
}

function inProgress(): Refusal {
  return new Refusal('conflict', 'The message is still to be sent: wait until it is sent, or cancel it.')
}
