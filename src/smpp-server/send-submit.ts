import { createHash } from 'node:crypto'
import { smppForm } from '../callbacks/formats/address.ts'
import { sendMessage, type SendDeps } from '../messaging/accept/send.ts'
import type { Caller } from '../organisations/store.ts'
import { cleanPhone, dialPlan } from '../values/phone.ts'
import { Refusal } from '../values/refusal.ts'
import { answerTime } from '../values/time.ts'

/** A text that is whole, of an account. */
export type WholeText = {
  /** The id that is answered with, and the message's. */
  id: string
  account_id: string
  sender: string | undefined
  recipient: string
  text: string
  wants: number
  /** Of a long text: the segments whose reports are wanted. */
  segments: readonly number[]
  /** What their reports repeat: one for each of them, or for the text. */
  user_references: readonly (number | null)[]
  send_at_ms: number | undefined
  expires_at_ms: number | undefined
  /** It may come a second time, after a crash, and is sent and charged once all the same. */
  may_repeat: boolean
}

/** Sent to somebody who has opted out. Through our own door such a recipient is rejected after the message is taken. */
export class OptedOut extends Error {
  override readonly name = 'OptedOut'
}

/** Sends it as `POST /sms/send` does. When it resolves, it is charged and stored. */
export async function sendText(deps: SendDeps, caller: Caller, whole: WholeText): Promise<void> {
  await refuseOptedOut(deps, caller, whole.recipient)
  await sendTo(deps, caller, [whole.recipient], whole)
}

/** Sends it to all of these as one message, without a look at who has opted out. */
export async function sendTo(
  deps: SendDeps,
  caller: Caller,
  recipients: readonly string[],
  whole: Omit<WholeText, 'recipient'>,
): Promise<void> {
  const { id, account_id, sender, wants, segments, user_references, send_at_ms, expires_at_ms } = whole
  const address = { account_id, wants, segments, user_references }
  const body = {
    recipients: [...recipients],
    content: whole.text,
    ...(sender === undefined ? {} : { sender_id: sender }),
    ...(send_at_ms === undefined ? {} : { send_at: answerTime(send_at_ms) }),
  }
  await sendMessage(deps, { ...caller, sends_from_numbers: true }, body, {
    shape_faults: [],
    id,
    callback_address: wants === 0 ? undefined : smppForm(address),
    expires_in_s: expires_at_ms === undefined ? undefined : Math.max(1, (expires_at_ms - Date.now()) / 1_000),
    idempotency: whole.may_repeat ? { key: `smpp ${id}`, request_hash: hashOf(whole) } : undefined,
  })
}

function hashOf({ id, text }: Pick<WholeText, 'id' | 'text'>): Buffer {
  return createHash('sha256').update(`${id} ${text}`).digest()
}

async function refuseOptedOut(deps: SendDeps, caller: Caller, to: string): Promise<void> {
  if (!caller.has_optouts) return
  const recipient = cleanPhone(to, dialPlan(caller.default_country))
  if (recipient === undefined) return
  const opted_out = await deps.findOptedOut(caller.organisation_id, [recipient])
  if (opted_out.has(recipient)) throw new OptedOut('The recipient has opted out.')
}

/** It was looked at and is not sent. Anything else that is thrown leaves open whether it was. */
export function isRefused(fault: unknown): boolean {
  return fault instanceof Refusal || fault instanceof OptedOut
}
