import { moneyToText } from '../../values/money.ts'
import { parseJson } from '../../values/input/parse-json.ts'
import { readForm } from '../../values/input/read-form.ts'
import { NETWORKS, type PurchaseOutcome, type RequeryOutcome, type TopupCarrier } from '../topup-carrier.ts'
import { makeHttpClient } from '../../values/http/client.ts'
import { amountOf, at, shortText } from '../vendor-values.ts'
import type { AfricasTalkingSettings } from './schema.ts'

/** Africa's Talking detects the network of a number. */
export function makeAfricasTalking(settings: AfricasTalkingSettings): TopupCarrier {
  const { name, base_url, username, api_key, timeout_ms } = settings
  const http = makeHttpClient({ timeout_ms })
  const headers = { apiKey: api_key, accept: 'application/json' }

  return {
    name,
    networks: NETWORKS,
    timeout_ms,
    referenceOf: ({ purchase_id }) => purchase_id,
    asked_by_own_id: true,

    async purchase({ reference, recipient, amount, currency }) {
      const recipients = JSON.stringify([
        { phoneNumber: `+${recipient}`, amount: `${currency} ${moneyToText(amount)}` },
      ])
      const answer = await http.call({
        method: 'POST',
        url: `${base_url}/version1/airtime/send`,
        headers: {
          ...headers,
          'content-type': 'application/x-www-form-urlencoded',
          'Idempotency-Key': reference,
        },
        body: new URLSearchParams({ username, recipients }).toString(),
      })
      if (answer.kind === 'unreached') return { kind: 'unreached', description: answer.description }
      if (answer.kind === 'lost') return { kind: 'unclear', description: answer.description }
      if (answer.status === 401 || answer.status === 403) {
        return { kind: 'error', code: `HTTP ${answer.status}`, description: shortText(answer.text) }
      }
      if (answer.status === 400) return { kind: 'failed', code: 'HTTP 400', description: shortText(answer.text) }
      return sentOutcome(answer.json)
    },

    /** It can be queried by its own id only; without one the answer to the purchase was lost, and the outcome is unknown. */
    async requery({ vendor_purchase_id }) {
      if (vendor_purchase_id === null) {
        return { kind: 'unclear', description: "Africa's Talking gave no id to ask by" }
      }
      const query = new URLSearchParams({ username, transactionId: vendor_purchase_id })
      const answer = await http.call({
        method: 'GET',
        url: `${base_url}/query/transaction/find?${query.toString()}`,
        headers,
      })
      if (answer.kind !== 'answered') return { kind: 'unclear', description: answer.description }
      if (answer.status !== 200 && answer.status !== 201) return { kind: 'unclear', code: `HTTP ${answer.status}` }
      return foundOutcome(answer.json)
    },

    /** Its status callback comes as JSON or as a form. */
    parseCallback(body) {
      const requestId = body.trimStart().startsWith('{')
        ? shortText(at(parseJson(body), 'requestId'))
        : shortText(readForm(body)?.get('requestId'))
      return requestId === undefined ? undefined : { vendor_purchase_id: requestId }
    },

    async balance() {
      const url = `${base_url}/version1/user?${new URLSearchParams({ username }).toString()}`
      const answer = await http.call({ method: 'GET', url, headers })
      return answer.kind === 'answered' ? amountOf(at(answer.json, 'UserData', 'balance')) : undefined
    },

    stop: () => http.stop(),
  }
}

const DUPLICATE = /duplicate request/i
const OUT_OF_MONEY = /insufficient (balance|credit|funds)/i

function sentOutcome(json: unknown): PurchaseOutcome {
  const responses = at(json, 'responses')
  const [response] = Array.isArray(responses) ? (responses as unknown[]) : []
  const reason = shortText(at(response, 'errorMessage') ?? at(json, 'errorMessage')) ?? ''
  const said = {
    code: shortText(at(response, 'status')),
    description: reason === 'None' ? undefined : reason,
    vendor_purchase_id: shortText(at(response, 'requestId')),
  }
  if (at(response, 'status') === 'Sent') {
    const full = amountOf(at(response, 'amount'))
    const discount = amountOf(at(response, 'discount'))
    const cost = full === undefined || discount === undefined ? undefined : full - discount
    return { kind: 'accepted', ...said, cost }
  }
  const nothing_sent = at(json, 'numSent') === 0 && Array.isArray(responses)
  if (at(response, 'status') !== 'Failed' && !(nothing_sent && responses.length === 0 && reason !== 'None')) {
    return { kind: 'unclear', ...said }
  }
  if (DUPLICATE.test(reason)) return { kind: 'duplicate', ...said }
  return { kind: OUT_OF_MONEY.test(reason) ? 'error' : 'failed', ...said }
}

/** The transaction's status, inside `data` or at the top. `Failed` at the top with a reason is a failure of the query. */
function foundOutcome(json: unknown): RequeryOutcome {
  const inner = at(json, 'data', 'status')
  const status = shortText(inner ?? at(json, 'status')) ?? 'nothing'
  const said = { code: status, description: shortText(at(json, 'errorMessage')) }
  switch (status) {
    case 'Success':
      return { kind: 'success', ...said }
    case 'Failed':
      return { kind: inner === undefined && said.description !== undefined ? 'unclear' : 'failed', ...said }
    case 'Queued':
    case 'Sent':
    case 'Pending':
      return { kind: 'accepted', ...said }
    default:
      return { kind: 'unclear', ...said }
  }
}
