import type { WriteAnswer } from '../../billing/answer-slots.ts'
import { moneyToNumber } from '../../values/money.ts'
import type { Draft } from '../draft.ts'

/**
 * The answer to a send as JSON text, in the field order of the documentation. Fields without a value are left out.
 */
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
      wordsOf(draft) +
      optional('send_at', draft.send_at) +
      `,"created_datetime":"${facts.created_datetime}"` +
      `,"meta":{"method":"POST","resource":"/sms/send","estimate":${estimate}}}`
    )
  }

/** What the customer said of a message, as JSON fields: written once, for whoever stores and whoever answers. */
export function wordsOf(draft: Draft): string {
  draft.words ??=
    optional('content', draft.content) +
    optional('external_ref', draft.external_ref) +
    optional('callback', draft.callback) +
    optional('template_id', draft.template?.id) +
    optional('template_version', draft.template?.version) +
    optional('personalisation', draft.personalisation)
  return draft.words
}

/** Cleaned numbers are digits: nothing to escape. */
function recipientList({ deliveries }: Draft): string {
  return `["${deliveries.map(({ recipient }) => recipient).join('","')}"]`
}

/** A field of a JSON object with the comma before it; nothing where there is no value. */
export function optional(field: string, value: unknown): string {
  if (value === undefined || value === null) return ''
  return `,"${field}":${typeof value === 'string' && PLAIN.test(value) ? `"${value}"` : JSON.stringify(value)}`
}

/** Letters that JSON leaves as they are: seeing that is quicker than having it done. */
const PLAIN = /^[ !#-[\]-~]*$/
