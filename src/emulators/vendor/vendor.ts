import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { STANDARD_PAGES } from '../../values/sms/page-form.ts'
import { listeningPort } from '../../values/listening-port.ts'
import { splitText } from '../../values/sms/sms-text.ts'
import { parseJson } from '../../values/input/parse-json.ts'
import type {
  Dialect,
  End,
  Fate,
  GivenFeedback,
  Sent,
  SentSegment,
  StoredMessage,
  VendorRequest,
  VendorResponse,
} from './dialect.ts'
import { makePost, type Installation } from './post.ts'

/** How the emulator treats a message. The last three accept it without a proper answer. */
export type Treatment =
  | { made: 'taken'; ends?: readonly End[]; early?: boolean; part_lost?: boolean; delay_ms?: number }
  | { made: 'refused' | 'refused_here' | 'put_off' }
  | { made: 'hangs' | 'drops' | 'babbles' }

/** An emulated vendor: it answers, reports and forwards texts as documented by the real one. */
export type VendorEmulator = {
  port: number
  url: string
  /** The configuration entry of a carrier that uses it. */
  settings(name: string): Record<string, unknown> & { name: string }
  /** Every part of every accepted message, in order. */
  taken: (Sent & { id: string })[]
  /** Requests to send, accepted or not. */
  requests: number
  /** Feedback that was accepted. */
  feedback: GivenFeedback[]
  /** The status of its answers to feedback. */
  feedback_status: number
  /** Requests with feedback, accepted or not. */
  feedback_requests: number
  /** Reports that were acknowledged. */
  reported: number
  /** The installation it reports to; undefined: it sends no reports. */
  reports_to: Installation | undefined
  report(recipient: string, end: End): Promise<boolean>
  reportStray(): Promise<boolean>
  sendText(id: string, from: string, to: string, text: string): Promise<boolean>
  /** A segment of a received long text; false if the vendor joins them itself. */
  sendSegment(id: string, from: string, to: string, text: string, segment: SentSegment): Promise<boolean>
  /** A recipient opted out of a sender; false if the vendor does not report that. */
  optOut(recipient: string, sender: string): Promise<boolean>
  /** Resolves when all reports are acknowledged. */
  quiet(): Promise<void>
  close(): Promise<void>
}

const MAX_BODY_BYTES = 4 * 1024 * 1024

export async function startVendorEmulator(
  { name, dialect, port, host }: { name: string; dialect: Dialect; port: number; host: string },
  treat: (sent: Sent) => Treatment,
): Promise<VendorEmulator> {
  const stored: StoredMessage[] = []
  const by_own_id = new Map<string, StoredMessage>()
  const reporting = new Set<Promise<unknown>>()
  const post = makePost(dialect, () => vendor.reports_to)

  const newId = (): string => `${vendor.taken.length + 1}${Math.floor(Date.now() / 1_000)}`

  function store(sent: Sent, shared_id: string | undefined): StoredMessage[] {
    const texts = dialect.splits ? splitText(sent.text, STANDARD_PAGES).segments : [sent.text]
    return texts.map((text) => {
      const id = shared_id ?? newId()
      const part = { ...sent, text }
      const one: StoredMessage = { id, sent: part, end: undefined }
      stored.push(one)
      if (sent.own_id !== undefined) by_own_id.set(sent.own_id, one)
      vendor.taken.push({ ...part, id })
      return one
    })
  }

  const findDuplicate = (sent: Sent): StoredMessage | undefined =>
    dialect.knows_ids && sent.own_id !== undefined ? by_own_id.get(sent.own_id) : undefined

  async function report(
    parts: readonly StoredMessage[],
    { ends = [], part_lost }: Extract<Treatment, { made: 'taken' }>,
  ) {
    for (const [n, one] of parts.entries()) {
      for (const given of ends) {
        const end: End = part_lost && n === parts.length - 1 ? 'lost' : given
        one.end = end
        if (await post(dialect.report(one.id, one.sent, end))) vendor.reported += 1
      }
    }
  }

  function track(work: Promise<unknown>): void {
    reporting.add(work)
    void work.catch(() => {}).finally(() => reporting.delete(work))
  }

  async function send(messages: readonly Sent[], response: ServerResponse): Promise<void> {
    vendor.requests += 1
    let wire: 'hangs' | 'drops' | 'babbles' | undefined
    let wait_ms = 0
    const reports: (() => Promise<void>)[] = []
    const fates: Fate[] = []
    const treated = messages.map((sent) => ({ sent, treatment: treat(sent) }))
    const refused = treated.flatMap(({ sent, treatment: { made } }) =>
      made === 'refused' || made === 'refused_here' || made === 'put_off' ? [{ sent, ids: [], made }] : [],
    )
    if (dialect.shares_ids && refused.length > 0) return respond(response, dialect.answer(refused))
    const shared_id = dialect.shares_ids ? newId() : undefined
    for (const { sent, treatment } of treated) {
      const duplicate = findDuplicate(sent)
      if (treatment.made === 'refused' || treatment.made === 'refused_here' || treatment.made === 'put_off') {
        fates.push({ sent, ids: [], made: treatment.made })
        continue
      }
      const parts = duplicate ? [duplicate] : store(sent, shared_id)
      fates.push({ sent, ids: parts.map(({ id }) => id), made: duplicate ? 'known' : 'taken' })
      if (treatment.made !== 'taken') wire = treatment.made
      else if (!duplicate) {
        wait_ms = Math.max(wait_ms, treatment.delay_ms ?? 0)
        if (treatment.early) await report(parts, treatment)
        else reports.push(() => report(parts, treatment))
      }
    }
    if (wait_ms > 0) await delay(wait_ms)
    if (wire === 'drops') response.destroy()
    else if (wire === 'babbles')
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"messages": [{"id": ')
    else if (wire === undefined) respond(response, dialect.answer(fates))
    // After the answer was written.
    for (const one of reports) track(delay(1).then(one))
  }

  function takeFeedback(given: GivenFeedback, accepted: VendorResponse, response: ServerResponse): void {
    vendor.feedback_requests += 1
    const { feedback_status: status } = vendor
    if (status !== 200) return respond(response, { status, text: 'not now' })
    vendor.feedback.push(given)
    respond(response, accepted)
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const vendor_request = await readRequest(request)
    if (!vendor_request) return void response.destroy()
    const find = (id: string): StoredMessage | undefined =>
      by_own_id.get(id) ?? stored.find((one) => sidOf(dialect, one) === id)
    const state = dialect.state?.(vendor_request, find)
    if (state) return respond(response, state)
    const read = dialect.read(vendor_request)
    if ('response' in read) {
      if (read.feedback) return takeFeedback(read.feedback, read.response, response)
      return respond(response, read.response)
    }
    await send(read.messages, response)
  }

  const server = createServer((request, response) => {
    void answer(request, response)
  })
  server.listen(port, host)
  await once(server, 'listening')
  const url = `http://${host}:${listeningPort(server)}`

  const vendor: VendorEmulator = {
    port: listeningPort(server),
    url,
    settings: (carrier) => ({
      kind: 'http',
      name: carrier,
      preset: name,
      credentials: { ...dialect.credentials },
      options: {
        base_url: `${url}${dialect.base_path ?? ''}`,
        ...Object.fromEntries((dialect.address_options ?? []).map((option) => [option, url])),
        ...dialect.options,
      },
    }),
    taken: [],
    requests: 0,
    feedback: [],
    feedback_status: 200,
    feedback_requests: 0,
    reported: 0,
    reports_to: undefined,
    async report(recipient, end) {
      const one = stored.findLast(({ sent }) => sent.to === recipient)
      return one ? post(dialect.report(one.id, one.sent, end)) : false
    },
    reportStray: () =>
      post(dialect.report('190019001900', { to: '2348099999999', from: 'Gangan', text: '' }, 'delivered')),
    sendText: (id, from, to, text) => post(dialect.text(id, from, to, text)),
    sendSegment: async (id, from, to, text, segment) =>
      dialect.segment !== undefined && post(dialect.segment(id, from, to, text, segment)),
    optOut: async (recipient, sender) => dialect.optout !== undefined && post(dialect.optout(recipient, sender)),
    quiet: async () => void (await Promise.all(reporting)),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return vendor
}

/** Twilio's id of a message. */
function sidOf(dialect: Dialect, { id, sent }: StoredMessage): string | undefined {
  return dialect.report(id, sent, 'delivered').form?.MessageSid
}

async function readRequest(request: IncomingMessage): Promise<VendorRequest | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of request) {
      if (!Buffer.isBuffer(chunk)) return undefined
      length += chunk.length
      if (length > MAX_BODY_BYTES) return undefined
      chunks.push(chunk)
    }
  } catch {
    return undefined // the client disconnected
  }
  const body = Buffer.concat(chunks).toString()
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://vendor')
  return {
    method: request.method ?? '',
    path: pathname,
    query: searchParams,
    headers: request.headers,
    body,
    form: new URLSearchParams(body),
    json: parseJson(body),
  }
}

function respond(response: ServerResponse, { status, json, text, headers = {} }: VendorResponse): void {
  const type = text === undefined ? 'application/json' : 'text/plain; charset=utf-8'
  response.writeHead(status, { 'content-type': type, ...headers }).end(text ?? JSON.stringify(json))
}
