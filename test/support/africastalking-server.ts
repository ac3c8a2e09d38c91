import {
  sellInMood,
  startVendorServer,
  wireFault,
  type VendorReply,
  type VendorRequest,
  type VendorServer,
} from './vendor-server.ts'

export const AFRICASTALKING_KEYS = { username: 'shop', api_key: 'key' }

/** Africa's Talking as documented: form requests, JSON responses, queried by its own id only. */
export function startAfricasTalkingServer(): Promise<VendorServer> {
  return startVendorServer((request, vendor) => {
    const asks = request.method === 'GET'
    const bad = asks ? vendor.question_mood === 'bad_credentials' : vendor.mood === 'bad_credentials'
    if (bad || request.headers.apikey !== 'key') return { status: 401, text: 'The supplied authentication is invalid' }
    if (request.path === '/version1/airtime/send') return send(vendor, request)
    if (request.path === '/version1/user') {
      return { status: 200, json: { UserData: { balance: `NGN ${vendor.balance}` } } }
    }
    return wireFault(vendor.question_mood) ?? find(vendor, request)
  })
}

function send(vendor: VendorServer, { headers, body }: VendorRequest): VendorReply {
  if (headers['content-type'] !== 'application/x-www-form-urlencoded') return { status: 415, text: 'Unsupported' }
  const form = new URLSearchParams(body)
  const [recipient] = JSON.parse(form.get('recipients') ?? '[]') as { phoneNumber: string; amount: string }[]
  const amount = /^NGN (\d+(?:\.\d+)?)$/.exec(recipient?.amount ?? '')?.[1]
  if (form.get('username') !== 'shop' || !/^\+\d+$/.test(recipient?.phoneNumber ?? '') || amount === undefined) {
    return { status: 400, text: 'Request is missing required form field' }
  }
  const reference = String(headers['idempotency-key'])
  if (vendor.sold.has(reference) || vendor.mood === 'duplicate') {
    return nothing('A duplicate request was received within the last 5 minutes')
  }
  if (vendor.mood === 'out_of_money') return nothing('Insufficient balance')
  if (vendor.mood === 'failed') return one(recipient?.phoneNumber, amount, 'Failed', 'Invalid phone number', undefined)
  const fault = sellInMood(vendor, reference, recipient?.phoneNumber ?? '', amount)
  return fault ?? one(recipient?.phoneNumber, amount, 'Sent', 'None', vendor.sold.get(reference)?.id)
}

function find(vendor: VendorServer, { query }: VendorRequest): VendorReply {
  const sold = [...vendor.sold.values()].find(({ id }) => id === query.get('transactionId'))
  if (!sold) return { status: 200, json: { status: 'Failed', errorMessage: 'No transaction with that id' } }
  const status = { success: 'Success', accepted: 'Sent', failed: 'Failed' }[sold.status]
  return { status: 200, json: { status: 'Success', data: { requestId: query.get('transactionId'), status } } }
}

function nothing(errorMessage: string): VendorReply {
  return { status: 201, json: { errorMessage, numSent: 0, totalAmount: '0', totalDiscount: '0', responses: [] } }
}

function one(
  phoneNumber: string | undefined,
  amount: string,
  status: string,
  errorMessage: string,
  requestId: string | undefined,
): VendorReply {
  const full = `NGN ${Number(amount).toFixed(4)}`
  const discount = `NGN ${(Number(amount) * 0.04).toFixed(4)}`
  const response = { phoneNumber, amount: full, status, requestId: requestId ?? 'None', discount, errorMessage }
  const sent = { numSent: status === 'Sent' ? 1 : 0, totalAmount: full, totalDiscount: discount }
  return { status: 201, json: { errorMessage: 'None', ...sent, responses: [response] } }
}
