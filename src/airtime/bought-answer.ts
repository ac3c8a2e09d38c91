import type { WriteAnswer } from '../billing/answer-slots.ts'
import { moneyToNumber } from '../values/money.ts'
import type { Draft } from './draft.ts'

/** The answer to a purchase as JSON text. */
export const boughtAnswer =
  (draft: Draft): WriteAnswer =>
  (facts) => {
    const { id, recipient, external_ref, callback, network, amount, warnings } = draft
    const balances = `"available_balance":${facts.balance_after},"balance_before":${facts.balance_before}`
    const charge = `{"amount":${moneyToNumber(amount)},${balances},"refunded":false}`
    return (
      `{"id":"${id}","recipient":"${recipient}"` +
      optional('external_ref', external_ref) +
      optional('callback', callback) +
      `,"status":"pending","created_datetime":"${facts.created_datetime}","network":"${network}"` +
      `,"meta":{"method":"POST","resource":"/airtime/buy","charge":${charge}` +
      optional('warnings', warnings.length > 0 ? warnings : undefined) +
      '}}'
    )
  }

function optional(field: string, value: unknown): string {
  return value === undefined ? '' : `,"${field}":${JSON.stringify(value)}`
}
