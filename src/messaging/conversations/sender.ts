import type { WhatsappRules } from '../../carriers/whatsapp/rules.ts'
import type { Sender } from '../draft.ts'
import type { ConversationRow } from './store.ts'

const NAME = /^[A-Za-z0-9 ._&-]{1,11}$/
const NUMBER = /^[0-9]{12,15}$/

/**
 * The sender of a reply: the number or name that the person wrote to, if the organisation may use it; else the default
 * sender. On WhatsApp the number, too, if it is one that the organisation may send from.
 */
export function answerFrom(
  { sandbox, whatsapp }: { sandbox: boolean; whatsapp: Pick<WhatsappRules, 'mayName'> },
  { mode, approved_senders, default_sender_id }: Sender,
  { channel, to }: Pick<ConversationRow, 'channel' | 'to'>,
): string | undefined {
  if (channel === 'whatsapp') return whatsapp.mayName({ sender_id: to, approved_senders }) ? to : undefined
  const is_sender = NAME.test(to) || NUMBER.test(to)
  const may = sandbox || mode === 'test' || approved_senders.includes(to.toLowerCase())
  return is_sender && may ? to : (default_sender_id ?? undefined)
}
