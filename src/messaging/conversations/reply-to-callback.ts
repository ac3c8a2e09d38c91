import { createHash } from 'node:crypto'
import { sendMessage, type SendDeps } from '../accept/send.ts'
import type { Sender } from '../draft.ts'
import { isRecord } from '../../values/record.ts'
import type { Log } from '../../values/log.ts'
import { Refusal } from '../../values/refusal.ts'
import { readTwiml, type TwimlMessage } from './twiml.ts'

export type AnswerDeps = SendDeps & { log: Log; senderOf: (organisation_id: string) => Promise<Sender | undefined> }

/** The response of an application to a posted text: TwiML, or with `is_plain` (text/plain) the reply itself. */
export type TakeAnswer = (
  organisation_id: string,
  callback: { id: string; body: string },
  answer: { text?: string | undefined; is_plain?: boolean | undefined },
) => Promise<void>

/**
 * Sends the reply of an application to the sender of a text, from the number that the text was sent to. If the callback is
 * posted again because its outcome was not recorded, the reply is still sent once: the callback id is its idempotency key.
 * A refused reply is logged.
 */
export function makeTakeAnswer(deps: AnswerDeps): TakeAnswer {
  return async (organisation_id, callback, answer) => {
    const messages = messagesOf(answer)
    if (messages.length === 0) return
    const sender = await deps.senderOf(organisation_id)
    if (!sender) return
    const { from, to, channel } = textOf(callback.body)
    for (const [n, message] of messages.entries()) {
      const key = `twiml ${callback.id} ${n}`
      const body = {
        recipients: bare(message.to) ?? from,
        sender_id: bare(message.from) ?? to,
        channel,
        content: message.text,
      }
      const idempotency = { key, request_hash: createHash('sha256').update(key).digest() }
      try {
        await sendMessage(deps, { ...sender, sends_from_numbers: true }, body, { shape_faults: [], idempotency })
      } catch (fault) {
        if (!(fault instanceof Refusal)) throw fault
        const reasons = fault.faults.map(({ field, type }) => `${field} ${type}`)
        deps.log.warn({ organisation_id, callback_id: callback.id, reasons }, 'the reply to a text was refused')
      }
    }
  }
}

/** TwiML is recognised whatever its content type. */
function messagesOf({
  text = '',
  is_plain = false,
}: {
  text?: string | undefined
  is_plain?: boolean | undefined
}): TwimlMessage[] {
  const plain = text.trim()
  return readTwiml(text) ?? (is_plain && plain !== '' ? [{ text: plain }] : [])
}

/** Twilio writes numbers with a plus, and with the channel as prefix unless it is SMS. */
function bare(address: string | undefined): string | undefined {
  return address?.replace(/^whatsapp:/, '').replace(/^\+/, '')
}

function textOf(body: string): { from: string; to: string; channel: string } {
  const event: unknown = JSON.parse(body)
  const data = isRecord(event) && isRecord(event.data) ? event.data : {}
  return { from: String(data.from), to: String(data.to), channel: String(data.channel) }
}
