import type { Channel } from '../../carriers/message-carrier.ts'
import { unapproved } from '../../senders/approved.ts'
import type { Fault } from '../../values/refusal.ts'

/**
 * In live mode a text message comes only from a sender the operator approved. Test organisations reach no phone, and
 * WhatsApp shows its own name.
 */
export function checkApproved(
  { sandbox }: { sandbox: boolean },
  { mode, approved_senders }: { mode: 'live' | 'test'; approved_senders: readonly string[] },
  { sender_id, channel }: { sender_id: string | null; channel: Channel },
  faults: Fault[],
): void {
  if (sandbox || mode === 'test' || channel !== 'sms' || sender_id === null) return
  if (faults.some(({ field }) => field === 'sender_id')) return
  if (approved_senders.includes(sender_id.toLowerCase())) return
  faults.push({ field: 'sender_id', message: unapproved(sender_id), type: 'invalid' })
}
