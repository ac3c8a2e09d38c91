import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openHouse, type House } from '../support/house.ts'

let house: House

beforeAll(async () => {
  house = await openHouse({ config: { sandbox: false } })
})
afterAll(() => house.close())

describe('in live mode', () => {
  test.each([
    'http://127.0.0.1/x',
    'http://localhost:8080/',
    'http://[::1]/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/',
    'http://[::ffff:192.168.0.1]/',
    'http://100.64.0.1/',
    'http://service.internal/',
    'https://user:secret@example.com/',
    'ftp://example.com/',
  ])('a callback to %s is refused', async (callback) => {
    const { status, body } = await house.call<{ errors: object[] }>('POST', '/sms/send', {
      recipients: '08031234567',
      content: 'x',
      callback,
    })
    expect(status).toBe(400)
    expect(body.errors).toEqual([{ field: 'callback', message: expect.any(String), type: 'url_parsing' }])
  })

  test('a public callback is accepted', async () => {
    const by = await house.organisation()
    const message = { recipients: '08031234567', content: 'x', callback: 'https://reports.example/' }
    expect((await by.call('POST', '/sms/send', message)).status).toBe(200)
  })

  test('only a test key sees virtual handsets', async () => {
    expect((await house.call('GET', '/sandbox/messages')).status).toBe(404)
    const twin = await house.organisation({ of: house, mode: 'test' })
    expect((await twin.call('GET', '/sandbox/messages')).status).toBe(200)
    expect((await twin.call('GET', '/sandbox/messages?recipient=x')).status).toBe(400)
  })
})
