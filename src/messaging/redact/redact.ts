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
  stopCallbacks,
  findAnswers,
  isWithPhone,
  lockMessage,
  writeAnswer,
} from './store.ts'

/** Jobs that remove a redacted text from the log of calls. */
export const REDACT_QUEUE = 'messages:redact'
/** By then every process has stored the calls it answered before. */
const LOG_SETTLES_MS = 3_000

/**
 * Removes the text of a sent or received message wherever it is stored. With `deletes` a sent message is also marked as
 * deleted, and a received one deleted. Deliveries, charges and ledger lines stay. An unsent message is refused with a
 * conflict. The log of calls is cleaned by a worker, because it has no index by message.
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
      await stopCallbacks(
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

/** A retry still gets its answer and is not charged, but the answer lacks the text. */
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
  return new Refusal('conflict', 'The message has not been sent yet: wait until it is sent, or cancel it.')
}
