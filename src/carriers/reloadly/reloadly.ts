import { moneyToNumber } from '../../values/money.ts'
import { makeTokenSource } from '../oauth-token.ts'
import type { Network, RequeryOutcome, TopupCarrier, TopupOrder } from '../topup-carrier.ts'
import { makeHttpClient, type HttpAnswer } from '../../values/http/client.ts'
import { amountOf, at, shortText } from '../vendor-values.ts'
import { refusalOutcome, statusOutcome } from './outcomes.ts'
import type { ReloadlySettings } from './schema.ts'
import { keysOf } from '../../values/record.ts'
import { parseJson } from '../../values/input/parse-json.ts'

const VERSION = 'application/com.reloadly.topups-v1+json'
const COUNTRY = { dial: '234', iso: 'NG' }

export function makeReloadly(settings: ReloadlySettings): TopupCarrier {
  const { name, base_url, operator_ids, timeout_ms } = settings
  // A purchase may take up to four calls: token, call, new token, call.
  const http = makeHttpClient({ timeout_ms: timeout_ms / 4 })
  const tokens = makeTokenSource(http, {
    method: 'POST',
    url: `${settings.auth_url}/oauth/token`,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      client_id: settings.client_id,
      client_secret: settings.client_secret,
      grant_type: 'client_credentials',
      audience: base_url,
    }),
  })

  /** Status 401 means that nothing was done, so the call is repeated once with a new token. */
  async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<ReloadlyAnswer> {
    for (let tries = 1; ; tries += 1) {
      const token = await tokens.current()
      if (token.kind !== 'token') return token
      const answer = await http.call({
        method,
        url: `${base_url}${path}`,
        headers: {
          accept: VERSION,
          authorization: `Bearer ${token.token}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      if (answer.kind !== 'answered' || answer.status !== 401) return answer
      tokens.forget()
      if (tries === 2) return { kind: 'refused', description: 'Reloadly refuses its own token' }
    }
  }

  async function findByReference(reference: string): Promise<RequeryOutcome> {
    const path = `/topups/reports/transactions?customIdentifier=${encodeURIComponent(reference)}`
    const answer = await call('GET', path)
    if (answer.kind !== 'answered') return { kind: 'unclear', description: answer.description }
    const found = at(answer.json, 'content')
    if (answer.status !== 200 || !Array.isArray(found)) return { kind: 'unclear', code: `HTTP ${answer.status}` }
    const own = found.find((one: unknown) => at(one, 'customIdentifier') === reference)
    return own === undefined ? { kind: 'not_found' } : statusOutcome(own)
  }

  async function readStatus({ reference, vendor_purchase_id }: TopupOrder): Promise<RequeryOutcome> {
    const answer = await call('GET', `/topups/${encodeURIComponent(vendor_purchase_id ?? '')}/status`)
    if (answer.kind !== 'answered') return { kind: 'unclear', description: answer.description }
    if (answer.status === 404) return findByReference(reference)
    if (answer.status !== 200) return { kind: 'unclear', code: `HTTP ${answer.status}` }
    // The status is outside of the transaction.
    const transaction = at(answer.json, 'transaction')
    return statusOutcome(
      typeof transaction === 'object' && transaction !== null
        ? { ...transaction, status: at(answer.json, 'status') }
        : answer.json,
    )
  }

  return {
    name,
    networks: keysOf(operator_ids),
    timeout_ms,
    referenceOf: ({ purchase_id }) => purchase_id,

    async purchase({ reference, network, amount, recipient }) {
      const operatorId = (operator_ids as Partial<Record<Network, number>>)[network]
      const answer = await call('POST', '/topups', {
        operatorId,
        amount: moneyToNumber(amount),
        useLocalAmount: true,
        customIdentifier: reference,
        recipientPhone: phoneOf(recipient),
      })
      if (answer.kind === 'refused') return { kind: 'error', description: answer.description }
      if (answer.kind === 'unreached') return { kind: 'unreached', description: answer.description }
      if (answer.kind === 'lost') return { kind: 'unclear', description: answer.description }
      return answer.status === 200 ? statusOutcome(answer.json) : refusalOutcome(answer.status, answer.json)
    },

    requery: (order) => (order.vendor_purchase_id === null ? findByReference(order.reference) : readStatus(order)),

    parseCallback(body) {
      const data = at(parseJson(body), 'data')
      const reference = shortText(at(data, 'customIdentifier'))
      const vendor_purchase_id = shortText(at(data, 'transactionId'))
      if (reference !== undefined) return { reference }
      return vendor_purchase_id === undefined ? undefined : { vendor_purchase_id }
    },

    async balance() {
      const answer = await call('GET', '/accounts/balance')
      return answer.kind === 'answered' ? amountOf(at(answer.json, 'balance')) : undefined
    },

    stop: () => http.stop(),
  }
}

type ReloadlyAnswer = HttpAnswer | { kind: 'refused'; description: string }

function phoneOf(recipient: string): { countryCode: string; number: string } {
  const number = recipient.startsWith(COUNTRY.dial) ? recipient.slice(COUNTRY.dial.length) : recipient
  return { countryCode: COUNTRY.iso, number }
}
