import type { Receipt } from '../../billing/charge.ts'
import type { Live } from '../../observe/live.ts'
import type { Log } from '../../values/log.ts'
import { present, isRecord } from '../../values/record.ts'
import { Refusal } from '../../values/refusal.ts'
import { sendMessage, type SendDeps } from '../accept/send.ts'
import type { Sender } from '../draft.ts'
import { requireConversation } from './require.ts'
import type { AnswerBody } from './schema.ts'
import { answerFrom } from './sender.ts'
import { noteAnswer } from './store.ts'

type Idempotency = { key: string; request_hash: Buffer }

type AnswerDeps = SendDeps & { sandbox: boolean; log: Log; live: Pick<Live, 'notifyTexts'> }

/**
 * Replies to a person on the channel they last used, from the address they wrote to. The reply is a regular message. If
 * moving the conversation to the top fails afterwards, the message is still in the thread.
 */
export async function answerPerson(
  deps: AnswerDeps,
  sender: Sender,
  given: string,
  { substitutions, ...body }: AnswerBody,
  idempotency: Idempotency | undefined,
): Promise<Receipt> {
  const { organisation_id } = sender
  const row = await requireConversation(deps.db, sender, given)
  const sender_id = answerFrom(deps, sender, row)
  const message = {
    recipients: row.phone,
    channel: row.channel,
    ...present('sender_id', sender_id),
    ...body,
    ...present('personalisation', substitutions && [{ to: row.phone, substitutions }]),
  }
  const receipt = await sendMessage(deps, { ...sender, sends_from_numbers: true }, message, {
    shape_faults: [],
    idempotency,
  }).catch(refuseInTermsOfAnswer)
  try {
    await noteAnswer(deps.db, organisation_id, row.phone, idOf(receipt))
    deps.live.notifyTexts(organisation_id, [row.phone])
  } catch (err) {
    deps.log.warn({ err, organisation_id }, 'a reply was sent, but its conversation was not updated')
  }
  return receipt
}

/** The message is refused with the fields of a send; the request has those of an answer. */
function refuseInTermsOfAnswer(fault: unknown): never {
  if (!(fault instanceof Refusal)) throw fault
  const faults = fault.faults.map((one) => ({ ...one, field: one.field.replace(/^personalisation\[0\]\./, '') }))
  throw new Refusal(fault.code, fault.message, faults, fault.retry_after_s)
}

/** A retry returns the id of the first request. */
function idOf({ answer }: Receipt): string {
  const sent: unknown = JSON.parse(answer)
  return isRecord(sent) ? String(sent.id) : ''
}
