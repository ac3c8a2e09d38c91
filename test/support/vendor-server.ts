import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type VendorRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
}

/** How the vendor treats a purchase. The last five have been sold although their response fails. */
export type Mood =
  | 'success'
  | 'accepted'
  | 'failed'
  | 'out_of_money'
  | 'bad_credentials'
  | 'duplicate'
  | 'hang'
  | 'drop'
  | 'garbage'
  | 'html_500'
  | 'cut_off'
/** Rejected without a response: nothing was sold. */
export type Silence = 'hang_unsold'

export type SoldStatus = 'success' | 'accepted' | 'failed'

/** An emulated vendor: implements its protocol, sells, and counts its sales. */
export type VendorServer = {
  url: string
  requests: VendorRequest[]
  /** By our reference. A repeated reference is not sold again. */
  sold: Map<string, { id: string; status: SoldStatus; recipient: string; amount: string }>
  /** How the next purchases are treated. */
  mood: Mood | Silence
  /** How the next queries are answered; undefined: from its records. */
  question_mood: 'garbage' | 'html_500' | 'hang' | 'bad_credentials' | undefined
  balance: string
  /** The delay of its responses. */
  delay_ms: number
  close(): Promise<void>
}

export type VendorReply = { status: number; json?: unknown; text?: string } | 'hang' | 'drop' | 'cut_off'

/** `answer` implements the vendor's protocol; network faults are the same for all of them. */
export async function startVendorServer(
  answer: (request: VendorRequest, vendor: VendorServer) => VendorReply,
): Promise<VendorServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://vendor')
      const one = {
        method: request.method ?? '',
        path: pathname,
        query: searchParams,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      }
      vendor.requests.push(one)
      const given = answer(one, vendor)
      setTimeout(() => reply(response, given), vendor.delay_ms)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const vendor: VendorServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    sold: new Map(),
    mood: 'success',
    question_mood: undefined,
    balance: '25000.5',
    delay_ms: 0,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return vendor
}

/** Sells, and returns the configured fault; undefined if the vendor responds normally. */
export function sellInMood(
  vendor: VendorServer,
  reference: string,
  recipient: string,
  amount: string,
): VendorReply | undefined {
  const { mood } = vendor
  const sells = !['failed', 'out_of_money', 'bad_credentials', 'duplicate', 'hang_unsold'].includes(mood)
  if (sells && !vendor.sold.has(reference)) {
    const status = mood === 'accepted' ? 'accepted' : 'success'
    vendor.sold.set(reference, { id: `v${vendor.sold.size + 1}-${reference.slice(-6)}`, status, recipient, amount })
  }
  return wireFault(mood)
}

export function wireFault(mood: string | undefined): VendorReply | undefined {
  if (mood === 'hang' || mood === 'hang_unsold') return 'hang'
  if (mood === 'drop' || mood === 'cut_off') return mood
  if (mood === 'garbage') return { status: 200, text: '{"code": "000", ' }
  if (mood === 'html_500') return { status: 500, text: '<html><h1>Internal Server Error</h1></html>' }
  return undefined
}

function reply(response: ServerResponse, given: VendorReply): void {
  if (given === 'hang') return
  if (given === 'drop') return void response.destroy()
  if (given === 'cut_off') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"code":"000"', () => response.destroy())
    return
  }
  const text = given.text ?? JSON.stringify(given.json)
  response.writeHead(given.status, { 'content-type': given.text === undefined ? 'application/json' : 'text/html' })
  response.end(text)
}
