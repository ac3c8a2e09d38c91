import { createHmac, randomUUID } from 'node:crypto'
import { at } from '../../carriers/vendor-values.ts'
import type { KeptMessage, PhoneMemory, PhoneMessage } from './memory.ts'

export type Fetch = typeof fetch

/** The phone and its server. */
export type PhoneIdentity = {
  /** The server address, as typed into the app. */
  url: string
  /** The private token, as typed into the app. */
  token: string
  name: string
  sims: number
}

const APP = 'me.capcom.smsgateway/emulator'
const TIMEOUT_MS = 30_000

class CallFault extends Error {
  readonly status: number
  constructor(what: string, status: number) {
    super(`${what} was answered ${status}`)
    this.name = 'CallFault'
    this.status = status
  }
}

export function isUnauthorised(fault: unknown): boolean {
  return fault instanceof CallFault && fault.status === 401
}

/** The HTTP requests of the app. Every answer but a success throws. `over` aborts requests, as when the app is killed. */
export function makeCalls(
  { url, token, name, sims }: PhoneIdentity,
  memory: PhoneMemory,
  request: Fetch,
  over: AbortSignal,
) {
  const limit = (): AbortSignal => AbortSignal.any([over, AbortSignal.timeout(TIMEOUT_MS)])
  const base = url.replace(/\/+$/, '')

  async function ask(method: string, path: string, key: string | undefined, body?: unknown): Promise<unknown> {
    const answer = await request(base + path, {
      method,
      headers: {
        'user-agent': APP,
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: limit(),
    })
    const text = await answer.text()
    if (!answer.ok) throw new CallFault(`${method} ${path}`, answer.status)
    return text === '' ? undefined : JSON.parse(text)
  }

  const own = (): string => memory.registration?.token ?? ''
  const cards = Array.from({ length: sims }, (_, n) => ({
    slotIndex: n,
    simNumber: n + 1,
    carrierName: '*****ator',
    phoneNumber: `*********${String(1000 + n)}`,
  }))

  return {
    async register(): Promise<void> {
      const answer = await ask('POST', '/device', token, { name, simCards: cards })
      memory.registration = { id: String(at(answer, 'id')), token: String(at(answer, 'token')) }
    },
    async update(): Promise<void> {
      await ask('PATCH', '/device', own(), { id: memory.registration?.id, simCards: cards })
    },
    async pull(): Promise<PhoneMessage[]> {
      const answer = await ask('GET', '/message?order=fifo', own())
      return Array.isArray(answer) ? answer.flatMap(readMessage) : []
    },
    async report({ id, to, state, error, states }: KeptMessage): Promise<void> {
      const recipients = [{ phoneNumber: to, state, ...(error === undefined ? {} : { error }) }]
      await ask('PATCH', '/message', own(), [{ id, state, recipients, states }])
    },
    async readSettings(): Promise<void> {
      const key = at(await ask('GET', '/settings', own()), 'webhooks', 'signing_key')
      if (typeof key === 'string') memory.signing_key = key
    },
    async readWebhooks(): Promise<void> {
      const answer = await ask('GET', '/webhooks', own())
      memory.webhooks = (Array.isArray(answer) ? answer : []).flatMap((one) => {
        const [to, event] = [at(one, 'url'), at(one, 'event')]
        return typeof to === 'string' && typeof event === 'string' ? [{ url: to, event }] : []
      })
    },
    async post({ url: to, body }: { url: string; body: string }): Promise<void> {
      const timestamp = String(Math.floor(Date.now() / 1_000))
      const signature = createHmac('sha256', memory.signing_key ?? randomUUID())
        .update(body + timestamp)
        .digest('hex')
      const headers = { 'content-type': 'application/json', 'x-timestamp': timestamp, 'x-signature': signature }
      const answer = await request(to, { method: 'POST', headers, body, signal: limit() })
      await answer.text()
      if (!answer.ok) throw new CallFault(`POST ${to}`, answer.status)
    },
    /** The names of the server-sent events; the app does not use their data. */
    async openEvents(): Promise<AsyncGenerator<string>> {
      const headers = { authorization: `Bearer ${own()}`, 'user-agent': APP }
      const answer = await request(`${base}/events`, { headers, signal: over })
      if (!answer.ok || !answer.body) throw new CallFault('GET /events', answer.status)
      return readEvents(answer.body)
    },
  }
}

async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('event:')) yield line.slice('event:'.length).trim()
  }
}

/** Ignores what the app would not accept as a pending message. */
function readMessage(given: unknown): PhoneMessage[] {
  const [id, text, to] = [at(given, 'id'), at(given, 'textMessage', 'text'), at(given, 'phoneNumbers', '0')]
  const [sim, priority] = [at(given, 'simNumber'), at(given, 'priority')]
  const valid_until_ms = Date.parse(String(at(given, 'validUntil')))
  if (typeof id !== 'string' || typeof text !== 'string' || typeof to !== 'string') return []
  if (at(given, 'state') !== 'Pending' || Number.isNaN(valid_until_ms)) return []
  return [
    {
      id,
      text,
      to,
      sim: typeof sim === 'number' ? sim : null,
      valid_until_ms,
      priority: typeof priority === 'number' ? priority : 0,
    },
  ]
}
