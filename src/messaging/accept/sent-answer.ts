import type { WriteAnswer } from '../../billing/answer-slots.ts'
import { moneyToNumber } from '../../values/money.ts'
import type { Draft } from '../draft.ts'
import { messageFields, optional } from '../intake/json-fields.ts'

/** The response to a send as JSON text, in the documented order of fields. Fields without a value are omitted. */
export const sentAnswer =
  (draft: Draft): WriteAnswer =>
  (facts) => {
    const estimate =
      `{"available_balance":${facts.balance_after},"charge":${moneyToNumber(draft.charge)},"encoding":"${draft.encoding}",` +
      `"message_length":${draft.message_length},"pages":${draft.pages}}`
    return (
      `{"id":"${draft.id}","recipients":${recipientList(draft)}` +
      optional('sender_id', draft.sender_id) +
      `,"channel":"${draft.channel}","is_trackable":${draft.is_trackable}` +
      messageFields(draft) +
      optional('send_at', draft.send_at) +
      `,"created_datetime":"${facts.created_datetime}"` +
      `,"meta":{"method":"POST","resource":"/sms/send","estimate":${estimate}}}`
    )
  }

/** Normalised numbers are digits: nothing to escape. */
function recipientList({ deliveries }: Draft): string {
  return `["${deliveries.map(({ recipient }) => recipient).join('","')}"]`
}
