import type { Sender } from '../draft.ts'
import type { ConversationRow } from './store.ts'

const NAME = /^[A-Za-z0-9 ._&-]{1,11}$/
const NUMBER = /^[0-9]{12,15}$/

/**
 * The sender of a reply: the number or name that the person wrote to, if the organisation may use it; else the default
 * sender. On WhatsApp the carrier determines it.
 */
export function answerFrom(
  { sandbox }: { sandbox: boolean },
  { mode, approved_senders, default_sender_id }: Sender,
  { channel, to }: Pick<ConversationRow, 'channel' | 'to'>,
): string | undefined {
  if (channel === 'whatsapp') return undefined
  const is_sender = NAME.test(to) || NUMBER.test(to)
  const may = sandbox || mode === 'test' || approved_senders.includes(to.toLowerCase())
  return is_sender && may ? to : (default_sender_id ?? undefined)
}
