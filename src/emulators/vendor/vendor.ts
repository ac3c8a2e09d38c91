import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { STANDARD_PAGES } from '../../values/sms/page-form.ts'
import { listeningPort } from '../../values/listening-port.ts'
import { splitText } from '../../values/sms/sms-text.ts'
import { parseJson } from '../../values/input/parse-json.ts'
import type { Asked, Dialect, End, Fate, Held, Said, Sent, SentSegment } from './dialect.ts'
import { makeTell, type House } from './tell.ts'

/** What the vendor does with a message, beside answering. The last three have taken it. */
export type Treatment =
  | { made: 'taken'; ends?: readonly End[]; early?: boolean; part_lost?: boolean; delay_ms?: number }
  | { made: 'refused' | 'refused_here' | 'put_off' }
  | { made: 'hangs' | 'drops' | 'babbles' }

/** A vendor on this machine: it answers, reports and hands on texts as the documentation of the real one says. */
export type VendorEmulator = {
  port: number
  url: string
  /** The entry of a configuration file that leads to it. */
  settings(name: string): Record<string, unknown> & { name: string }
  /** Every part of every message that it took, in order. */
  taken: (Sent & { id: string })[]
  /** Requests to send, taken or not. */
  requests: number
  /** Reports that were acknowledged. */
  reported: number
  /** The installation it reports to; undefined: it reports to nobody. */
  reports_to: House | undefined
  report(recipient: string, end: End): Promise<boolean>
  reportStray(): Promise<boolean>
  handOnText(id: string, from: string, to: string, text: string): Promise<boolean>
  /** A segment of a long text; false where the vendor joins them itself. */
  handOnSegment(id: string, from: string, to: string, text: string, segment: SentSegment): Promise<boolean>
  /** A person opted out of a sender; false where the vendor does not report that. */
  optOut(recipient: string, sender: string): Promise<boolean>
  /** Resolves when all it wanted to report is acknowledged. */
  quiet(): Promise<void>
  close(): Promise<void>
}

const LONGEST_BODY = 4 * 1024 * 1024

export async function startVendorEmulator(
  { name, dialect, port, host }: { name: string; dialect: Dialect; port: number; host: string },
  treat: (sent: Sent) => Treatment,
): Promise<VendorEmulator> {
  const held: Held[] = []
  const by_own_id = new Map<string, Held>()
  const reporting = new Set<Promise<unknown>>()
  const tell = makeTell(dialect, () => vendor.reports_to)

  const newId = (): string => `${vendor.taken.length + 1}${Math.floor(Date.now() / 1_000)}`

  function keep(sent: Sent, shared_id: string | undefined): Held[] {
    const texts = dialect.splits ? splitText(sent.text, STANDARD_PAGES).segments : [sent.text]
    return texts.map((text) => {
      const id = shared_id ?? newId()
      const part = { ...sent, text }
      const one: Held = { id, sent: part, end: undefined }
      held.push(one)
      if (sent.own_id !== undefined) by_own_id.set(sent.own_id, one)
      vendor.taken.push({ ...part, id })
      return one
    })
  }

  const known = (sent: Sent): Held | undefined =>
    dialect.knows_ids && sent.own_id !== undefined ? by_own_id.get(sent.own_id) : undefined

  async function report(parts: readonly Held[], { ends = [], part_lost }: Extract<Treatment, { made: 'taken' }>) {
    for (const [n, one] of parts.entries()) {
      for (const given of ends) {
        const end: End = part_lost && n === parts.length - 1 ? 'lost' : given
        one.end = end
        if (await tell(dialect.report(one.id, one.sent, end))) vendor.reported += 1
      }
    }
  }

  function later(work: Promise<unknown>): void {
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
    if (dialect.shares_ids && refused.length > 0) return say(response, dialect.answer(refused))
    const shared_id = dialect.shares_ids ? newId() : undefined
    for (const { sent, treatment } of treated) {
      const before = known(sent)
      if (treatment.made === 'refused' || treatment.made === 'refused_here' || treatment.made === 'put_off') {
        fates.push({ sent, ids: [], made: treatment.made })
        continue
      }
      const parts = before ? [before] : keep(sent, shared_id)
      fates.push({ sent, ids: parts.map(({ id }) => id), made: before ? 'known' : 'taken' })
      if (treatment.made !== 'taken') wire = treatment.made
      else if (!before) {
        wait_ms = Math.max(wait_ms, treatment.delay_ms ?? 0)
        if (treatment.early) await report(parts, treatment)
        else reports.push(() => report(parts, treatment))
      }
    }
    if (wait_ms > 0) await delay(wait_ms)
    if (wire === 'drops') response.destroy()
    else if (wire === 'babbles')
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"messages": [{"id": ')
    else if (wire === undefined) say(response, dialect.answer(fates))
    // Behind the answer, which is written first.
    for (const one of reports) later(delay(1).then(one))
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await readAsked(request)
    if (!asked) return void response.destroy()
    const find = (id: string): Held | undefined =>
      by_own_id.get(id) ?? held.find((one) => dialectId(dialect, one) === id)
    const state = dialect.state?.(asked, find)
    if (state) return say(response, state)
    const read = dialect.read(asked)
    if ('said' in read) return say(response, read.said)
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
      options: { base_url: `${url}${dialect.base_path ?? ''}`, ...dialect.options },
    }),
    taken: [],
    requests: 0,
    reported: 0,
    reports_to: undefined,
    async report(recipient, end) {
      const one = held.findLast(({ sent }) => sent.to === recipient)
      return one ? tell(dialect.report(one.id, one.sent, end)) : false
    },
    reportStray: () =>
      tell(dialect.report('190019001900', { to: '2348099999999', from: 'Gangan', text: '' }, 'delivered')),
    handOnText: (id, from, to, text) => tell(dialect.text(id, from, to, text)),
    handOnSegment: async (id, from, to, text, segment) =>
      dialect.segment !== undefined && tell(dialect.segment(id, from, to, text, segment)),
    optOut: async (recipient, sender) => dialect.optout !== undefined && tell(dialect.optout(recipient, sender)),
    quiet: async () => void (await Promise.all(reporting)),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return vendor
}

/** What the vendor's answer called a message of this id. */
function dialectId(dialect: Dialect, { id, sent }: Held): string | undefined {
  const told = dialect.report(id, sent, 'delivered')
  return told.form?.MessageSid
}

async function readAsked(request: IncomingMessage): Promise<Asked | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of request) {
      if (!Buffer.isBuffer(chunk)) return undefined
      length += chunk.length
      if (length > LONGEST_BODY) return undefined
      chunks.push(chunk)
    }
  } catch {
    return undefined // the caller has hung up
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

function say(response: ServerResponse, { status, json, text, headers = {} }: Said): void {
  const type = text === undefined ? 'application/json' : 'text/plain; charset=utf-8'
  response.writeHead(status, { 'content-type': type, ...headers }).end(text ?? JSON.stringify(json))
}
