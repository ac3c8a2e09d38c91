import { createHmac } from 'node:crypto'
import { Pool } from 'undici'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { HttpDeps } from '../../src/http/deps.ts'
import { buildServer } from '../../src/http/server.ts'
import { measureJson } from '../../src/values/input/measure-json.ts'
import { person } from '../support/person.ts'
import { openService, type TestService } from '../support/service.ts'

/**
 * Every route, with bodies within the size limit that hold far too many elements. No parser may receive one of them.
 */
const AUTH_TOKEN = '0123456789abcdef0123456789abcdef'
const SECRET = 'a long word of the test'
const settings = {
  carriers: [
    { kind: 'simulator', name: 'simulator' },
    { kind: 'http', name: 'tw', preset: 'twilio', credentials: { account_sid: 'AC1', auth_token: AUTH_TOKEN } },
    {
      kind: 'http',
      name: 'signed',
      preset: 'vonage',
      credentials: { api_key: 'a', api_secret: 'b', signature_secret: SECRET },
    },
    {
      kind: 'http',
      name: 'secret',
      preset: 'vonage',
      credentials: { api_key: 'a', api_secret: 'b', report_secret: SECRET },
    },
    {
      kind: 'whatsapp_cloud',
      name: 'wa',
      phone_number_id: '106540352242922',
      waba_id: '102290129340398',
      access_token: 'token',
      app_secrets: [SECRET],
      verify_token: 'a word of the test',
    },
  ],
}

let service: TestService
let pool: Pool
let operator: { cookie: string; csrf: string }

/** Bodies beyond the limits that a parser received. */
const parsed: string[] = []
const FIELDS = 250

beforeAll(async () => {
  service = await openService({ settings })
  operator = await person(service, null, service.id)
  pool = new Pool(service.url, { connections: 4 })
  const { parse } = JSON
  vi.spyOn(JSON, 'parse').mockImplementation((text: string, reviver) => {
    if (typeof text === 'string' && measureJson(text)) parsed.push(`JSON of ${text.length} characters`)
    return parse(text, reviver) as unknown
  })
  const { URLSearchParams: Plain } = globalThis
  vi.stubGlobal(
    'URLSearchParams',
    class extends Plain {
      constructor(init?: ConstructorParameters<typeof Plain>[0]) {
        super(init)
        if (typeof init === 'string' && this.size > FIELDS) parsed.push(`a form of ${this.size} fields`)
      }
    },
  )
})
afterAll(async () => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  await pool.close()
  await service.close()
})

const list = (bytes: number): string => `[${'{},'.repeat(Math.floor(bytes / 3) - 2)}{}]`
const deep = (bytes: number): string => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2)
const form = (bytes: number): string => 'a=b&'.repeat(Math.floor(bytes / 4))
const parts = (bytes: number): string =>
  `--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n`.repeat(Math.floor(bytes / 60)) + '--b--'

const BODIES: [type: string, write: (bytes: number) => string][] = [
  ['application/json', list],
  ['application/json', deep],
  ['application/x-www-form-urlencoded', form],
  ['multipart/form-data; boundary=b', parts],
  ['text/plain', list],
]

type Route = { method: string; url: string; bytes: number }

async function allRoutes(): Promise<Route[]> {
  const routes: Route[] = []
  const app = await buildServer({} as HttpDeps, (empty) => {
    empty.addHook('onRoute', ({ method, url, config }) => {
      if (typeof method !== 'string' || method === 'HEAD' || url === '/console/api/events') return
      routes.push({ method, url, bytes: Math.min(config?.body?.bytes ?? 1_048_576, 300_000) })
    })
  })
  await app.close()
  return routes
}

function headersFor(url: string): Record<string, string> {
  if (url.startsWith('/console/')) {
    return { cookie: operator.cookie, 'x-csrf-token': operator.csrf, 'x-organisation-id': service.id }
  }
  if (/^\/(2010-04-01|v[12])\//.test(url)) {
    return { authorization: `Basic ${Buffer.from(`AC1:${service.key}`).toString('base64')}` }
  }
  return url.startsWith('/phones/') ? { authorization: 'Bearer x' } : { authorization: service.key }
}

async function ask(method: string, path: string, body: string, headers: Record<string, string>) {
  const answer = await pool.request({ method, path, body, headers })
  return { status: answer.statusCode, text: await answer.body.text() }
}

test('no body of any route is parsed before it is measured', async () => {
  const routes = await allRoutes()
  expect(routes.length).toBeGreaterThan(200)
  for (const { method, url, bytes } of routes) {
    const carriers = url.includes('/carriers/http/') ? ['tw', 'signed', 'secret'] : ['wa']
    for (const carrier of carriers) {
      const path = url
        .replace(':carrier', carrier)
        .replace(/:[a-zA-Z_]+/g, 'x')
        .replace('*', 'x')
      for (const [type, write] of BODIES) {
        const headers = { ...headersFor(url), 'content-type': type, 'x-twilio-signature': 'x' }
        const { status } = await ask(method, path, write(bytes - 200), headers)
        expect({ method, path, type, status, parsed }).toMatchObject({ parsed: [] })
        expect(status, `${method} ${path} ${type}`).not.toBe(500)
      }
    }
  }
}, 300_000)

test('a post without a signature is rejected before its body is parsed', async () => {
  const body = list(900_000)
  const json = { 'content-type': 'application/json' }
  for (const what of ['reports', 'texts']) {
    for (const carrier of ['tw', 'signed', 'secret']) {
      expect((await ask('POST', `/carriers/http/${carrier}/${what}`, body, json)).status).toBe(401)
    }
  }
  expect((await ask('POST', '/carriers/whatsapp/wa', body, json)).status).toBe(401)
  const small = JSON.stringify({ MessageSid: 'SM1', MessageStatus: 'delivered', marker: 'not to be parsed' })
  expect((await ask('POST', '/carriers/http/tw/reports', small, json)).status).toBe(401)
  const seen = vi.mocked(JSON.parse).mock.calls.map(([text]) => text)
  expect(seen.filter((text) => text.includes?.('not to be parsed'))).toEqual([])
  expect(parsed).toEqual([])
})

test('a signed post with too many elements is rejected, so that its sender does not treat it as stored', async () => {
  const body = list(900_000)
  const json = { 'content-type': 'application/json' }
  const path = `/carriers/http/secret/reports?secret=${encodeURIComponent(SECRET)}`
  const refused = await ask('POST', path, body, json)
  expect(refused.status).toBe(413)
  expect(refused.text).toContain('more than 10,000 items')
  const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`
  expect((await ask('POST', '/carriers/whatsapp/wa', body, { ...json, 'x-hub-signature-256': signature })).status).toBe(
    413,
  )
  expect(parsed).toEqual([])
})

test('a signed post of a vendor within the limits is accepted', async () => {
  const fields = { MessageSid: 'SM1', MessageStatus: 'sent', To: '+2348031234567' }
  const path = '/carriers/http/tw/reports'
  const { public_url } = service.config
  const signed = (sorted: string): string =>
    createHmac('sha1', AUTH_TOKEN).update(`${public_url}${path}${sorted}`).digest('base64')
  const sorted = Object.entries(fields)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flat()
    .join('')
  for (const [type, body] of [
    ['application/x-www-form-urlencoded', new URLSearchParams(fields).toString()],
    ['application/json', JSON.stringify(fields)],
  ] as const) {
    const headers = { 'content-type': type, 'x-twilio-signature': signed(sorted) }
    expect((await ask('POST', path, body, headers)).status).toBe(200)
    expect((await ask('POST', path, body, { ...headers, 'x-twilio-signature': signed('') })).status).toBe(401)
  }
})
