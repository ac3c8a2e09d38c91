import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

const UTF_8 = 'application/json; charset=utf-8'
const MESSAGE = JSON.stringify({ recipients: '08031234567', content: 'caf\xe9' })

async function post(path: string, body: Buffer, type = 'application/json') {
  const headers = { authorization: service.key, 'content-type': type }
  const response = await fetch(service.url + path, { method: 'POST', headers, body: Uint8Array.from(body) })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const balance = async () => (await service.call<{ balance: number }>('GET', '/balance')).body.balance

describe('a body that is not valid UTF-8', () => {
  test.each([
    ['Latin-1', Buffer.from(MESSAGE, 'latin1')],
    ['half a character', Buffer.from(MESSAGE).subarray(0, -3)],
    ['half of a pair', Buffer.from(MESSAGE.replace('\xe9', '\xed\xa0\x80'), 'latin1')],
  ])('is rejected, and nothing is charged: %s', async (_, bytes) => {
    const message = 'The body is not valid UTF-8.'
    const refusal = { status: 400, message, errors: [{ field: 'body', message, type: 'json_invalid' }] }
    const before = await balance()
    for (const path of ['/sms/send', '/sms/estimate', '/otp/request_token', '/lists/contact/rows/query']) {
      expect(await post(path, bytes)).toEqual({ status: 400, body: refusal })
    }
    expect(await post('/sms/send', bytes, UTF_8)).toEqual({ status: 400, body: refusal })
    expect(await balance()).toBe(before)
  })
})

describe('a charset', () => {
  test.each(['iso-8859-1', '"iso-8859-1"', 'utf-16', 'us-ascii'])('of %s is rejected', async (charset) => {
    for (const path of ['/sms/send', '/sms/estimate']) {
      const { status, body } = await post(path, Buffer.from(MESSAGE), `application/json; charset=${charset}`)
      expect([status, body]).toEqual([415, { status: 415, message: 'The body must be application/json in UTF-8.' }])
    }
  })

  test.each(['utf-8', 'UTF-8', 'utf8', '"utf-8"'])('of %s is accepted', async (charset) => {
    for (const path of ['/sms/send', '/sms/estimate']) {
      const { status } = await post(path, Buffer.from(MESSAGE), `application/json;charset=${charset}`)
      expect(status).toBe(200)
    }
  })
})
