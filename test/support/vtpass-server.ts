import {
  sellInMood,
  startVendorServer,
  wireFault,
  type VendorReply,
  type VendorRequest,
  type VendorServer,
} from './vendor-server.ts'

export const VTPASS_KEYS = { api_key: 'api', public_key: 'public', secret_key: 'secret' }

const SERVICES = ['mtn', 'airtel', 'glo', 'etisalat']

/** VTpass as documented: `/api/pay`, `/api/requery`, `/api/balance`. */
export function startVtpassServer(): Promise<VendorServer> {
  return startVendorServer((request, vendor) => {
    if (request.path === '/api/balance' && request.method === 'GET') {
      return keysFit(request, 'public-key', 'public')
        ? { status: 200, json: { code: 1, contents: { balance: Number(vendor.balance) } } }
        : invalidKeys()
    }
    if (request.method !== 'POST' || request.headers['content-type'] !== 'application/json') {
      return { status: 405, text: 'Method Not Allowed' }
    }
    if (!keysFit(request, 'secret-key', 'secret')) return invalidKeys()
    const body = JSON.parse(request.body) as Record<string, unknown>
    if (request.path === '/api/pay') return pay(vendor, body)
    if (request.path === '/api/requery') return requery(vendor, body)
    return { status: 404, text: 'Not Found' }
  })
}

function pay(vendor: VendorServer, { request_id, serviceID, amount, phone }: Record<string, unknown>): VendorReply {
  if (vendor.mood === 'bad_credentials') return invalidKeys()
  const reference = String(request_id)
  if (!SERVICES.includes(String(serviceID))) return said('012', 'PRODUCT DOES NOT EXIST')
  if (typeof amount !== 'number' || !/^0\d{10}$/.test(String(phone))) return said('011', 'INVALID ARGUMENTS')
  if (!/^\d{12}/.test(reference)) return said('085', 'IMPROPER REQUEST ID: DOES NOT CONTAIN DATE')
  if (vendor.sold.has(reference)) return said('014', 'REQUEST ID ALREADY EXIST')
  if (vendor.mood === 'failed') return said('016', 'TRANSACTION FAILED')
  if (vendor.mood === 'out_of_money') return said('018', 'LOW WALLET BALANCE')
  if (vendor.mood === 'duplicate') return said('019', 'LIKELY DUPLICATE TRANSACTION')
  return sellInMood(vendor, reference, String(phone), String(amount)) ?? transaction(vendor, reference)
}

function requery(vendor: VendorServer, { request_id }: Record<string, unknown>): VendorReply {
  if (vendor.question_mood === 'bad_credentials') return invalidKeys()
  const fault = wireFault(vendor.question_mood)
  if (fault) return fault
  const reference = String(request_id)
  return vendor.sold.has(reference) ? transaction(vendor, reference) : said('015', 'INVALID REQUEST ID')
}

function transaction(vendor: VendorServer, reference: string): VendorReply {
  const sold = vendor.sold.get(reference)
  const amount = Number(sold?.amount)
  if (sold?.status === 'failed') return said('016', 'TRANSACTION FAILED', { status: 'failed', transactionId: sold.id })
  const status = sold?.status === 'success' ? 'delivered' : 'pending'
  const transactions = { status, transactionId: sold?.id, commission: amount * 0.03, total_amount: amount * 0.97 }
  return {
    status: 200,
    json: {
      code: '000',
      response_description: 'TRANSACTION SUCCESSFUL',
      requestId: reference,
      amount,
      content: { transactions },
    },
  }
}

function said(code: string, response_description: string, transactions?: object): VendorReply {
  const json = { code, response_description, ...(transactions ? { content: { transactions } } : { content: [] }) }
  return { status: 200, json }
}

function keysFit({ headers }: VendorRequest, second: string, value: string): boolean {
  return headers['api-key'] === 'api' && headers[second] === value
}

function invalidKeys(): VendorReply {
  return { status: 401, json: { code: '087', response_description: 'INVALID CREDENTIALS' } }
}
