import { moneyToNumber } from '../../values/money.ts'
import type { Network, TopupCarrier } from '../topup-carrier.ts'
import { makeHttpClient } from '../../values/http/client.ts'
import { amountOf, at, shortText } from '../vendor-values.ts'
import { purchaseOutcome, requeryOutcome } from './codes.ts'
import type { VtpassSettings } from './schema.ts'
import { keysOf } from '../../values/record.ts'
import { parseJson } from '../../values/input/parse-json.ts'

/** VTpass's service ids of the networks; it does not sell NTEL. */
const SERVICES: Partial<Record<Network, string>> = { MTN: 'mtn', Airtel: 'airtel', Glo: 'glo', '9mobile': 'etisalat' }

export function makeVtpass(settings: VtpassSettings): TopupCarrier {
  const { name, base_url, api_key, public_key, secret_key, timeout_ms } = settings
  const http = makeHttpClient({ timeout_ms })

  const post = (path: string, body: object) =>
    http.call({
      method: 'POST',
      url: `${base_url}${path}`,
      headers: { 'api-key': api_key, 'secret-key': secret_key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  return {
    name,
    networks: keysOf(SERVICES),
    timeout_ms,

    /** VTpass requires at least 12 characters, of which the first 12 are the current minute in Lagos. */
    referenceOf({ purchase_id, created_datetime }) {
      return `${lagosMinute(created_datetime)}${purchase_id.replaceAll('-', '')}`
    },

    async purchase({ reference, network, amount, recipient }) {
      const answer = await post('/api/pay', {
        request_id: reference,
        serviceID: SERVICES[network],
        amount: moneyToNumber(amount),
        phone: nationalNumber(recipient),
      })
      if (answer.kind === 'unreached') return { kind: 'unreached', description: answer.description }
      if (answer.kind === 'lost') return { kind: 'unclear', description: answer.description }
      return purchaseOutcome(answer.json)
    },

    async requery({ reference }) {
      const answer = await post('/api/requery', { request_id: reference })
      return answer.kind === 'answered'
        ? requeryOutcome(answer.json)
        : { kind: 'unclear', description: answer.description }
    },

    parseCallback(body) {
      const reference = shortText(at(parseJson(body), 'data', 'requestId'))
      return reference === undefined ? undefined : { reference }
    },

    async balance() {
      const headers = { 'api-key': api_key, 'public-key': public_key }
      const answer = await http.call({ method: 'GET', url: `${base_url}/api/balance`, headers })
      return answer.kind === 'answered' ? amountOf(at(answer.json, 'contents', 'balance')) : undefined
    },

    stop: () => http.stop(),
  }
}

/** Lagos has been one hour ahead of UTC all year round since 1919. */
const LAGOS_AHEAD_MS = 3_600_000

/** `2026-11-14T23:42:46.539766+00:00` → `202611150042` */
function lagosMinute(created_datetime: string): string {
  const there = new Date(Date.parse(created_datetime) + LAGOS_AHEAD_MS).toISOString()
  return there.slice(0, 16).replace(/\D/g, '')
}

function nationalNumber(recipient: string): string {
  return recipient.startsWith('234') ? `0${recipient.slice(3)}` : recipient
}
