import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { caller } from './service.ts'

/** A message that Meta has accepted. */
export type Taken = {
  wamid: string
  to: string
  type: string
  text?: { body: string }
  template?: {
    name: string
    language: { code: string }
    components: { type: string; sub_type?: string; index?: string; parameters: { type: string; text: string }[] }[]
  }
  biz_opaque_callback_data: string
  messaging_product: string
  recipient_type: string
}

/** How the next messages are treated: accepted, rejected with a code, or with an inconclusive response. */
export type Mood =
  | 'take'
  | { code: number; status?: number }
  | 'take_and_500'
  | 'take_and_drop'
  | 'take_and_hang'
  | 'take_and_babble'
  | 'drop_untaken'

export type MetaServer = {
  url: string
  settings: (more?: object) => Record<string, unknown>
  mood: Mood | ((message: Taken) => Mood)
  /** Called for an accepted message before the response. */
  beforeAnswer?: (message: Taken) => Promise<unknown>
  taken: Taken[]
  /** Every call to `/messages`, accepted or not. */
  calls: { authorization: string | undefined; path: string; at: number; body: Taken }[]
  templates: Record<string, unknown>[]
  /** Templates on a page of the list. */
  page: number
  close(): Promise<void>
}

export const APP_SECRET = 'the secret of the app'
export const NUMBER = { phone_number_id: '106540352242922', waba_id: '102290129340398', display: '15550783881' }

/** An emulator of Meta's Graph API as documented: messages, templates, errors. */
export async function startMetaServer(port = 0): Promise<MetaServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://meta')
      const authorization = request.headers.authorization
      if (authorization !== 'Bearer the-token') return refuse(response, 190, 401)
      if (request.method === 'GET' && pathname === `/v23.0/${NUMBER.waba_id}/message_templates`) {
        return listTemplates(meta, searchParams, response)
      }
      if (request.method !== 'POST' || pathname !== `/v23.0/${NUMBER.phone_number_id}/messages`) {
        return refuse(response, 100, 400)
      }
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Taken
      meta.calls.push({ authorization, path: pathname, at: Date.now(), body })
      void takeMessage(meta, body, response)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const meta: MetaServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    settings: (more = {}) => ({
      kind: 'whatsapp_cloud',
      name: 'meta',
      phone_number_id: NUMBER.phone_number_id,
      waba_id: NUMBER.waba_id,
      access_token: 'the-token',
      app_secrets: ['the secret before', APP_SECRET],
      verify_token: 'a word between us',
      base_url: meta.url,
      otp_template: { name: 'login_code', language: 'en' },
      timeout_ms: 20_000,
      ...more,
    }),
    mood: 'take',
    taken: [],
    calls: [],
    templates: [LOGIN_CODE, ORDER_UPDATE],
    page: 50,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return meta
}

export const LOGIN_CODE = {
  name: 'login_code',
  language: 'en',
  status: 'APPROVED',
  category: 'AUTHENTICATION',
  components: [
    { type: 'BODY', text: '*{{1}}* is your verification code.', add_security_recommendation: true },
    { type: 'FOOTER', code_expiration_minutes: 15 },
    {
      type: 'BUTTONS',
      buttons: [{ type: 'URL', text: 'Copy code', url: 'https://www.whatsapp.com/otp/code/?code={{1}}' }],
    },
  ],
}

export const ORDER_UPDATE = {
  name: 'order_update',
  language: 'en',
  status: 'APPROVED',
  category: 'UTILITY',
  components: [{ type: 'BODY', text: 'Hello {{1}}, your order {{2}} is on its way.' }],
}

async function takeMessage(meta: MetaServer, body: Taken, response: ServerResponse): Promise<void> {
  const mood = typeof meta.mood === 'function' ? meta.mood(body) : meta.mood
  if (mood === 'drop_untaken') return void response.destroy()
  if (typeof mood === 'object') return refuse(response, mood.code, mood.status ?? 400)
  const wamid = `wamid.HBgN${Buffer.from(`${meta.taken.length} ${body.to}`).toString('base64url')}`
  const message = { ...body, wamid }
  meta.taken.push(message)
  if (meta.beforeAnswer) await meta.beforeAnswer(message)
  if (mood === 'take_and_hang') return
  if (mood === 'take_and_drop') return void response.destroy()
  if (mood === 'take_and_babble') return void response.writeHead(200).end('{"messages": [{"id": ')
  if (mood === 'take_and_500') return void response.writeHead(500).end('<html>Sorry, something went wrong.</html>')
  answer(response, 200, {
    messaging_product: 'whatsapp',
    contacts: [{ input: body.to, wa_id: body.to }],
    messages: [{ id: wamid, message_status: 'accepted' }],
  })
}

function listTemplates(meta: MetaServer, query: URLSearchParams, response: ServerResponse): void {
  const from = Number(query.get('after') ?? 0)
  const until = from + meta.page
  const more = until < meta.templates.length
  answer(response, 200, {
    data: meta.templates.slice(from, until),
    // As an attacker who wants the token would do: the link leads elsewhere.
    paging: {
      cursors: { before: String(from), after: String(until) },
      ...(more ? { next: 'http://127.0.0.1:1/x' } : {}),
    },
  })
}

function refuse(response: ServerResponse, code: number, status: number): void {
  answer(response, status, {
    error: {
      message: `(#${code}) as documented`,
      type: 'OAuthException',
      code,
      error_data: { messaging_product: 'whatsapp', details: `details of ${code}` },
      fbtrace_id: 'Az8or2yhqkZfEZ',
    },
  })
}

function answer(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
}

/** A status in a webhook of Meta. */
export function statusOf(message: Taken, status: string, more: object = {}): object {
  return {
    id: message.wamid,
    status,
    timestamp: String(Math.floor(Date.now() / 1_000)),
    recipient_id: message.to,
    biz_opaque_callback_data: message.biz_opaque_callback_data,
    ...more,
  }
}

export function failure(message: Taken, code: number): object {
  return statusOf(message, 'failed', { errors: [{ code, title: 'It failed', error_data: { details: 'so it was' } }] })
}

/** An inbound message in a webhook of Meta. */
export function inbound(id: string, from: string, body: string, timestamp: string | number = now()): object {
  return { from, id, timestamp, type: 'text', text: { body } }
}

function now(): string {
  return String(Math.floor(Date.now() / 1_000))
}

/** One change per item, all in one webhook. */
export function webhookBody(values: { statuses?: object[]; messages?: object[] }[], number = NUMBER): string {
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: values.map((value) => ({
      id: number.waba_id,
      changes: [
        {
          field: 'messages',
          value: {
            messaging_product: 'whatsapp',
            metadata: { display_phone_number: number.display, phone_number_id: number.phone_number_id },
            ...value,
          },
        },
      ],
    })),
  })
}

export function sign(body: string, secret = APP_SECRET): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

/** Posts a webhook like Meta. */
export async function postWebhook(
  { url }: { url: string },
  body: string,
  signature = sign(body),
  carrier = 'meta',
): Promise<number> {
  const call = caller(url, '')
  const { status } = await call('POST', `/carriers/whatsapp/${carrier}`, body, { 'x-hub-signature-256': signature })
  return status
}
