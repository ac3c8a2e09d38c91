import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

/** The response to these lines, until the connection ends. */
function say(...lines: string[]): Promise<string> {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  socket.write([...lines, 'connection: close', '', ''].join('\r\n'))
  return new Promise((resolve, reject) => {
    let text = ''
    socket.setEncoding('utf8').on('data', (part: string) => (text += part))
    socket.on('error', reject).on('close', () => resolve(text))
  })
}

describe('HTTP/1.1 without a Host', () => {
  test.each(['GET /balance', 'GET /nowhere', 'POST /sms/send'])(
    'is rejected with a regular error response: %s',
    async (line) => {
      const text = await say(`${line} HTTP/1.1`, `authorization: ${service.key}`, 'x-request-id: mine')
      expect(text).toMatch(/^HTTP\/1\.1 400 /)
      expect(text).toMatch(/^x-request-id: mine\r$/m)
      expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toEqual({
        status: 400,
        message: 'The request is invalid.',
        errors: [{ field: 'host', message: 'HTTP/1.1 requires a Host header.', type: 'missing' }],
      })
    },
  )

  test('is valid in HTTP/1.0', async () => {
    expect(await say('GET /balance HTTP/1.0', `authorization: ${service.key}`)).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('meta.resource', () => {
  test.each([
    ['POST', '/sms/send', { recipients: '08031234567', content: 'x' }],
    ['POST', '/lookup/phone', { phone: '08031234567' }],
    ['GET', '/balance', undefined],
  ])('is routed with and without a trailing slash: %s %s', async (method, path, body) => {
    for (const spelled of [path, `${path}/`, `/${path}//`]) {
      const { status, body: answer } = await service.call(method, spelled, body)
      expect([status, answer.meta]).toEqual([200, expect.objectContaining({ method, resource: path })])
    }
  })
})
