import { createHash } from 'node:crypto'
import type { Caller } from '../../organisations/store.ts'
import { answerTime } from '../../values/time/moment.ts'
import { sendMessage, type SendDeps } from '../accept/send.ts'

/** A text to one recipient, submitted over another protocol. */
export type WholeText = {
  /** The id in the answer, which is that of the message. */
  id: string
  sender: string | undefined
  recipient: string
  text: string
  /** Address of its reports (`callbacks/formats/address.ts`). */
  callback: string | undefined
  send_at_ms: number | undefined
  expires_at_ms: number | undefined
  /** Sent with the priority of a campaign. */
  is_bulk: boolean
  /** It may be sent again after a crash, and must be charged once. */
  may_repeat: boolean
}

/** Sends the text like `POST /sms/send`. When it resolves, the message is charged and stored. */
export async function sendText(deps: SendDeps, caller: Caller, whole: WholeText): Promise<void> {
  await sendTo(deps, caller, [whole.recipient], whole)
}

/** Sends the text to several recipients as one message. */
export async function sendTo(
  deps: SendDeps,
  caller: Caller,
  recipients: readonly string[],
  whole: Omit<WholeText, 'recipient'>,
): Promise<void> {
  const { id, sender, callback, send_at_ms, expires_at_ms } = whole
  const body = {
    recipients: [...recipients],
    content: whole.text,
    ...(sender === undefined ? {} : { sender_id: sender }),
    ...(send_at_ms === undefined ? {} : { send_at: answerTime(send_at_ms) }),
  }
  await sendMessage(deps, { ...caller, sends_from_numbers: true }, body, {
    shape_faults: [],
    id,
    callback_address: callback,
    is_bulk: whole.is_bulk,
    expires_in_s: expires_at_ms === undefined ? undefined : Math.max(1, (expires_at_ms - Date.now()) / 1_000),
    idempotency: whole.may_repeat ? { key: `smpp ${id}`, request_hash: hashOf(whole) } : undefined,
  })
}

function hashOf({ id, text }: Pick<WholeText, 'id' | 'text'>): Buffer {
  return createHash('sha256').update(`${id} ${text}`).digest()
}
