import {
  sellInMood,
  startVendorServer,
  wireFault,
  type VendorReply,
  type VendorRequest,
  type VendorServer,
} from './vendor-server.ts'

export const RELOADLY_KEYS = { client_id: 'id', client_secret: 'secret' }

export type ReloadlyServer = VendorServer & {
  /** Revokes all tokens issued so far. */
  revokeTokens(): void
}

/** Reloadly as documented, including its authorisation server. */
export async function startReloadlyServer(): Promise<ReloadlyServer> {
  let generation = 1
  const server = await startVendorServer((request, vendor) => {
    if (request.path === '/oauth/token') return token(request, vendor, generation)
    if (request.headers.authorization !== `Bearer token-${generation}`) {
      return { status: 401, json: { errorCode: 'INVALID_TOKEN', message: 'Full authentication is required' } }
    }
    if (request.headers.accept !== 'application/com.reloadly.topups-v1+json') {
      return { status: 406, json: { errorCode: 'NOT_ACCEPTABLE', message: 'Not acceptable' } }
    }
    if (request.path === '/topups' && request.method === 'POST') return topUp(vendor, request)
    if (request.path === '/accounts/balance') {
      return { status: 200, json: { balance: Number(vendor.balance), currencyCode: 'NGN' } }
    }
    return question(vendor, request)
  })
  return Object.assign(server, {
    revokeTokens() {
      generation += 1
    },
  })
}

function token(request: VendorRequest, vendor: VendorServer, generation: number): VendorReply {
  const body = JSON.parse(request.body) as Record<string, string>
  const fits =
    body.client_id === 'id' &&
    body.client_secret === 'secret' &&
    body.grant_type === 'client_credentials' &&
    body.audience === vendor.url
  if (!fits || vendor.mood === 'bad_credentials' || vendor.question_mood === 'bad_credentials') {
    return { status: 401, json: { errorCode: 'INVALID_CREDENTIALS', message: 'Access Denied' } }
  }
  return { status: 200, json: { access_token: `token-${generation}`, expires_in: 5_184_000, token_type: 'Bearer' } }
}

function topUp(vendor: VendorServer, request: VendorRequest): VendorReply {
  const body = JSON.parse(request.body) as {
    operatorId: number
    amount: number
    useLocalAmount: boolean
    customIdentifier: string
    recipientPhone: { countryCode: string; number: string }
  }
  const { customIdentifier, recipientPhone, amount } = body
  if (typeof body.operatorId !== 'number') return refusal('OPERATOR_NOT_FOUND')
  if (!body.useLocalAmount || recipientPhone.countryCode !== 'NG' || !/^\d{10}$/.test(recipientPhone.number)) {
    return refusal('INVALID_RECIPIENT_PHONE')
  }
  if (vendor.sold.has(customIdentifier)) return refusal('CUSTOM_IDENTIFIER_ALREADY_USED')
  if (vendor.mood === 'failed') return refusal('INVALID_RECIPIENT_PHONE')
  if (vendor.mood === 'out_of_money') return refusal('INSUFFICIENT_BALANCE')
  if (vendor.mood === 'duplicate') return refusal('PHONE_RECENTLY_RECHARGED')
  const fault = sellInMood(vendor, customIdentifier, recipientPhone.number, String(amount))
  return fault ?? { status: 200, json: transaction(vendor, customIdentifier) }
}

function question(vendor: VendorServer, { path, query }: VendorRequest): VendorReply {
  const fault = wireFault(vendor.question_mood)
  if (fault) return fault
  if (path === '/topups/reports/transactions') {
    const reference = query.get('customIdentifier') ?? ''
    return { status: 200, json: { content: vendor.sold.has(reference) ? [transaction(vendor, reference)] : [] } }
  }
  const id = /^\/topups\/([^/]+)\/status$/.exec(path)?.[1]
  const [reference] = [...vendor.sold].find(([, sold]) => sold.id === id) ?? []
  if (reference === undefined)
    return { status: 404, json: { errorCode: 'TRANSACTION_NOT_FOUND', message: 'Not found' } }
  const found = transaction(vendor, reference)
  return { status: 200, json: { code: null, message: null, status: found.status, transaction: found } }
}

const STATUSES = { success: 'SUCCESSFUL', accepted: 'PROCESSING', failed: 'REFUNDED' }

function transaction(vendor: VendorServer, reference: string) {
  const sold = vendor.sold.get(reference)
  const cost = Number(sold?.amount) * 0.98
  return {
    transactionId: sold?.id,
    status: STATUSES[sold?.status ?? 'accepted'],
    customIdentifier: reference,
    requestedAmount: Number(sold?.amount),
    deliveredAmount: Number(sold?.amount),
    balanceInfo: {
      oldBalance: Number(vendor.balance),
      newBalance: Number(vendor.balance) - cost,
      cost,
      currencyCode: 'NGN',
    },
  }
}

function refusal(errorCode: string): VendorReply {
  const json = {
    timeStamp: '2026-11-14 23:42:46',
    message: `Refused: ${errorCode}`,
    path: '/topups',
    errorCode,
    details: [],
  }
  return { status: 400, json }
}
