import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decideConfig } from '../../src/config/config.ts'
import { openService, type TestService } from '../support/service.ts'

const TOKEN = 'a-token-for-figures'
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

describe('metrics that require a token', () => {
  let service: TestService
  beforeAll(async () => {
    const { metrics } = decideConfig({ GANGAN_METRICS_TOKEN: TOKEN }, {})
    service = await openService({ workers: false, config: { metrics } })
  })
  afterAll(() => service.close())
  const read = (init?: RequestInit) => fetch(`${service.url}/metrics`, init)

  test('are returned with the token', async () => {
    const answer = await read(bearer(TOKEN))
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('gangan_http_request_duration_seconds')
    expect((await read({ headers: { authorization: `bearer  ${TOKEN}` } })).status).toBe(200)
  })

  test('are refused without it', async () => {
    const others: RequestInit[] = [
      {},
      bearer('another-token-here'),
      bearer(`${TOKEN}x`),
      bearer(TOKEN.slice(0, -1)),
      { headers: { authorization: TOKEN } },
      { headers: { authorization: service.key } },
      bearer('x'.repeat(5_000)),
    ]
    for (const init of others) {
      const answer = await read(init)
      expect(answer.status).toBe(401)
      expect(await answer.json()).toEqual({ status: 401, message: 'The token for metrics is missing or wrong.' })
    }
  })
})

describe('metrics on a separate port', () => {
  let service: TestService
  beforeAll(async () => {
    const { metrics } = decideConfig({ GANGAN_METRICS_PORT: '0', GANGAN_METRICS_TOKEN: TOKEN }, {})
    service = await openService({ workers: false, config: { metrics } })
  })
  afterAll(() => service.close())

  test('are available there, and not on the main port', async () => {
    await service.call('POST', '/sms/send', { recipients: '08031234567', content: 'Hello' })
    const answer = await fetch(service.metrics_url, bearer(TOKEN))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('text/plain')
    const text = await answer.text()
    expect(text).toContain('gangan_deliveries_accepted_total{channel="sms"} 1\n')
    expect(text).toMatch(/gangan_queue_depth\{queue="route:sms"\} 1\n/)
    expect(text).toContain('gangan_queue_depth{queue="callbacks"} 0\n')
    expect(text).toContain('gangan_queue_oldest_seconds{queue="callbacks"} 0\n')
    const main = await fetch(`${service.url}/metrics`, bearer(TOKEN))
    expect(main.status).toBe(404)
    expect(await main.json()).toEqual({ status: 404, message: 'There is no such path.' })
  })

  test('require the token there, too, and no other route exists', async () => {
    expect((await fetch(service.metrics_url)).status).toBe(401)
    expect((await fetch(service.metrics_url, { method: 'POST', body: 'x', ...bearer(TOKEN) })).status).toBe(405)
    for (const path of ['/', '/health', '/sms/send', '/metrics/x']) {
      const url = new URL(path, service.metrics_url)
      expect((await fetch(url, bearer(TOKEN))).status).toBe(404)
    }
  })
})

test('invalid settings of metrics are reported at the start', () => {
  const read = (env: Record<string, string>) => () => decideConfig(env, {})
  expect(read({ GANGAN_METRICS_PORT: 'x' })).toThrow('GANGAN_METRICS_PORT: must be a number from 0 to 65535')
  expect(read({ GANGAN_METRICS_PORT: '8080' })).toThrow('GANGAN_METRICS_PORT: must be another than PORT')
  expect(read({ GANGAN_METRICS_TOKEN: 'short' })).toThrow('GANGAN_METRICS_TOKEN: must have at least 16 characters')
  expect(read({ GANGAN_METRICS_TOKEN: 'a token with blanks in it' })).toThrow('GANGAN_METRICS_TOKEN')
  expect(decideConfig({ HOST: '0.0.0.0' }, {}).metrics).toEqual({ port: undefined, host: '0.0.0.0', token: undefined })
  expect(decideConfig({ HOST: '0.0.0.0', GANGAN_METRICS_HOST: '10.0.0.1' }, {}).metrics.host).toBe('10.0.0.1')
})
