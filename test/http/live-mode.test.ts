import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { banner } from '../../src/cli/terminal/banner.ts'
import { openService, type TestService } from '../support/service.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

let service: TestService

beforeAll(async () => {
  service = await openService({ config: { sandbox: false } })
})
afterAll(() => service.close())

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
  ])('a callback to %s is rejected', async (callback) => {
    const { status, body } = await service.call<{ errors: object[] }>('POST', '/sms/send', {
      recipients: '08031234567',
      content: 'x',
      callback,
    })
    expect(status).toBe(400)
    expect(body.errors).toEqual([{ field: 'callback', message: expect.any(String), type: 'url_parsing' }])
  })

  test('a public callback is accepted', async () => {
    const by = await service.organisation()
    const message = { recipients: '08031234567', content: 'x', callback: 'https://reports.example/' }
    expect((await by.call('POST', '/sms/send', message)).status).toBe(200)
  })

  test('only a test key has access to virtual phones', async () => {
    expect((await service.call('GET', '/sandbox/messages')).status).toBe(404)
    const twin = await service.organisation({ of: service, mode: 'test' })
    expect((await twin.call('GET', '/sandbox/messages')).status).toBe(200)
    expect((await twin.call('GET', '/sandbox/messages?recipient=x')).status).toBe(400)
  })
})

describe('airtime in live mode', () => {
  const away = { kind: 'smpp', name: 'away', host: '127.0.0.1', port: 9, system_id: 'x', password: 'x' }
  const carriers = { carriers: [away], routes: [{ name: 'sms', channel: 'sms', carrier: 'away' }] }
  const WISH = { network: 'MTN', amount: 100, recipient: '08031234567' }
  const openLive = async (settings = {}) => {
    const live = await openService({ workers: false, settings: { ...carriers, ...settings } })
    onTestFinished(() => live.close())
    return live
  }

  test('is rejected while no vendor is configured, and not charged; test keys use the simulator', async () => {
    const live = await openLive({ airtime: { min_amount: 60 } })
    const { status, body } = await live.call('POST', '/airtime/buy', WISH)
    expect(status).toBe(400)
    expect(body.errors).toEqual([{ field: 'network', message: 'Airtime of MTN is not sold here.', type: 'invalid' }])
    expect((await live.call('GET', '/balance')).body).toMatchObject({ balance: 1_000 })
    expect((await live.call('GET', '/airtime')).body.purchases).toEqual([])
    expect(banner(live.config, 8080, {})).toContain('Airtime is refused, except to test keys')
    const twin = await live.organisation({ of: live, mode: 'test' })
    expect((await twin.call('POST', '/airtime/buy', WISH)).status).toBe(200)
  })

  test('uses the simulator if the operator configures it', async () => {
    const live = await openLive({ airtime: { vendors: [{ kind: 'simulator', name: 'trial' }] } })
    expect((await live.call('POST', '/airtime/buy', WISH)).status).toBe(200)
    expect(banner(live.config, 8080, {})).not.toContain('Airtime')
  })
})

describe('in live mode with applications on a private network', () => {
  const openBeside = async (...allow_networks: string[]) => {
    const own = await openService({ config: { sandbox: false }, settings: { callbacks: { allow_networks } } })
    const receiver = await startReceiver()
    onTestFinished(async () => {
      await own.close()
      await receiver.close()
    })
    const by = await own.organisation({ mode: 'test' })
    const send = (callback?: string) =>
      by.call<{ id: string; errors: { field: string; message: string }[] }>('POST', '/sms/send', {
        recipients: '08031234567',
        content: 'x',
        ...(callback === undefined ? {} : { callback }),
      })
    return { own, by, receiver, send }
  }

  test('callbacks to a configured network are sent', async () => {
    const { by, receiver, send } = await openBeside('127.0.0.0/8')
    expect((await send(`${receiver.url}/reports`)).status).toBe(200)
    expect((await by.call('POST', '/webhooks', { url: `${receiver.url}/events` })).status).toBe(200)
    // The webhook may receive it as well, and first.
    await until('the report', () => receiver.received.some(({ path }) => path === '/reports'))
  })

  test('callbacks to other private addresses are rejected, and the error names the setting', async () => {
    const { by, receiver, send } = await openBeside('10.0.0.0/8')
    for (const callback of [receiver.url, 'http://169.254.169.254/', 'http://192.168.0.1/', 'http://localhost/']) {
      const { status, body } = await send(callback)
      expect(status).toBe(400)
      expect(body.errors).toMatchObject([{ field: 'callback' }])
      expect(body.errors[0]?.message).toContain('callbacks.allow_networks')
    }
    const refused = await by.call<{ errors: { message: string }[] }>('POST', '/webhooks', { url: receiver.url })
    expect(refused.body.errors[0]?.message).toContain('callbacks.allow_networks')
  })

  test('a stored callback to a network that was removed from the configuration is not sent, and its attempts name the setting', async () => {
    const { own, by, receiver, send } = await openBeside('10.0.0.0/8')
    const { body } = await by.call<{ id: string }>('POST', '/webhooks', { url: 'http://10.0.0.1/' })
    await own.db`update webhooks set url = ${receiver.url} where id = ${body.id}`
    await send()
    const tried = await until('an attempt', async () => {
      const { callbacks } = (await by.call<{ callbacks: { id: string; attempts: number }[] }>('GET', '/callbacks')).body
      return callbacks.find(({ attempts }) => attempts > 0)
    })
    const read = await by.call<{ attempts_log: { reason: string }[] }>('GET', `/callbacks/${tried.id}`)
    expect(read.body.attempts_log[0]?.reason).toMatch(/^blocked: .*callbacks\.allow_networks/)
    expect(receiver.received).toEqual([])
  })
})
