import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../support/service.ts'
import { readOperations, type Operation } from '../support/openapi.ts'

let service: TestService

beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

const operations = readOperations().filter(({ needs_key, body }) => needs_key && Object.keys(body).length > 0)
const ID = '01890000-0000-7000-8000-000000000000'
const REFUSED = { status: 415, message: 'The body must not be encoded: leave out Content-Encoding.' }
const MESSAGE = JSON.stringify({ recipients: '08031234567', content: 'Hello' })

const pathOf = ({ path }: Operation): string => path.replace(/\{\w+\}/, ID)

/** Writes the head of a request that announces a body, sends no body, and returns the response. */
async function headOnly(method: string, path: string, headers: Record<string, string>): Promise<string> {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  const lines = Object.entries({ host: hostname, 'content-length': '1000', ...headers })
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.map((line) => `${line.join(': ')}\r\n`).join('')}\r\n`)
  return firstAnswer(socket)
}

function firstAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes.toString()
      if (!text.includes('}')) return
      resolve(text)
      socket.destroy()
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`closed after ${text}`)))
  })
}

describe('an encoded body', () => {
  test.each(operations.flatMap((one) => Object.keys(one.body).map((type) => ({ name: one.name, type, one }))))(
    'is rejected before it is read: $name as $type',
    async ({ one, type }) => {
      const headers = { authorization: service.key, 'content-type': type, 'content-encoding': 'gzip' }
      const text = await headOnly(one.method, pathOf(one), headers)
      expect(text).toMatch(/^HTTP\/1\.1 415 /)
      expect(text).toMatch(/^accept-encoding: identity\r$/m)
      expect(text).toMatch(/^x-request-id: /m)
      expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toEqual(REFUSED)
      expect(one.check({ status: 415, type: 'application/json', text: JSON.stringify(REFUSED) })).toEqual([])
    },
  )

  test.each(['/otp/get-by-recipient', '/otp/get_by_recipient', '/airtime/callbacks/vtpass', '/carriers/whatsapp/meta'])(
    'is rejected on routes outside the reference, too: %s',
    async (path) => {
      const method = path.startsWith('/otp') ? 'GET' : 'POST'
      const headers = { authorization: service.key, 'content-type': 'application/json', 'content-encoding': 'br' }
      expect(await headOnly(method, path, headers)).toMatch(/^HTTP\/1\.1 415 /)
    },
  )

  test('is rejected without sending or charging', async () => {
    const by = await service.organisation({ credit: 100 })
    const answer = await fetch(`${service.url}/sms/send`, {
      method: 'POST',
      headers: { authorization: by.key, 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(MESSAGE),
    })
    expect([answer.status, await answer.json()]).toEqual([415, REFUSED])
    expect((await by.call('GET', '/balance')).body).toMatchObject({ balance: 100 })
  })

  test.each(['deflate', 'br', 'zstd', 'GZIP', 'identity, gzip', 'gzip, identity', 'x-unheard-of'])(
    'is rejected in every form: %s',
    async (encoding) => {
      expect((await service.call('POST', '/sms/send', MESSAGE, { 'content-encoding': encoding })).status).toBe(415)
    },
  )

  test('is answered with 401 without a key, and 403 without the scope', async () => {
    const encoded = { 'content-encoding': 'gzip' }
    expect((await service.call('POST', '/sms/send', MESSAGE, { ...encoded, authorization: 'x' })).status).toBe(401)
    const scoped = await service.organisation({ scopes: ['otp'] })
    expect((await scoped.call('POST', '/sms/send', MESSAGE, encoded)).status).toBe(403)
  })
})

test.each(['identity', 'Identity', ' identity , identity', ''])(
  'a body without encoding may declare that: "%s"',
  async (as_is) => {
    expect((await service.call('POST', '/sms/estimate', MESSAGE, { 'content-encoding': as_is })).status).toBe(200)
  },
)

test('the header is ignored without a body', async () => {
  expect((await service.call('GET', '/balance', undefined, { 'content-encoding': 'gzip' })).status).toBe(200)
  expect((await service.call('DELETE', `/otp/${ID}`, undefined, { 'content-encoding': 'gzip' })).status).toBe(404)
})
