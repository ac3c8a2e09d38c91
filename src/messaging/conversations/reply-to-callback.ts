import { createHash } from 'node:crypto'
import { sendMessage, type SendDeps } from '../accept/send.ts'
import type { Sender } from '../draft.ts'
import { isRecord } from '../../values/record.ts'
import type { Log } from '../../values/log.ts'
import { Refusal } from '../../values/refusal.ts'
import { readTwiml, type TwimlMessage } from './twiml.ts'

export type AnswerDeps = SendDeps & { log: Log; senderOf: (organisation_id: string) => Promise<Sender | undefined> }

/** What an application answers to a text that was posted to it: TwiML, or with `is_plain` (text/plain) the text itself. */
export type TakeAnswer = (
  organisation_id: string,
  callback: { id: string; body: string },
  answer: { text?: string; is_plain?: boolean },
) => Promise<void>

/**
 * Sends what an application answers to a text, to whoever wrote it, from the number they wrote to. An answer that comes
 * again, because nobody could write down that the text was told, is sent once: the callback it answers is its
 * idempotency key. What is refused is logged; the application cannot be asked again.
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
        deps.log.warn({ organisation_id, callback_id: callback.id, reasons }, 'the answer to a text was not sent')
      }
    }
  }
}

/** TwiML is read as such whatever its content type. */
function messagesOf({ text = '', is_plain = false }: { text?: string; is_plain?: boolean }): TwimlMessage[] {
  const plain = text.trim()
  return readTwiml(text) ?? (is_plain && plain !== '' ? [{ text: plain }] : [])
}

/** Twilio writes numbers with a plus, and the channel in front of them where it is not SMS. */
function bare(address: string | undefined): string | undefined {
  return address?.replace(/^whatsapp:/, '').replace(/^\+/, '')
}

function textOf(body: string): { from: string; to: string; channel: string } {
  const event: unknown = JSON.parse(body)
  const data = isRecord(event) && isRecord(event.data) ? event.data : {}
  return { from: String(data.from), to: String(data.to), channel: String(data.channel) }
}
