import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { startReceiver, type Received, type Receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

type Webhook = {
  id: string
  url: string
  events: string[]
  description?: string
  enabled: boolean
  disabled_reason?: string
  failing_since?: string
  secret: string
  old_secret_until?: string
  updated_datetime?: string
}
type Callback = { id: string; event_id: string; webhook_id?: string; status: string; attempts: number; url: string }

let service: TestService
let by: Organisation
let receiver: Receiver

beforeAll(async () => {
  service = await openService()
  receiver = await startReceiver()
})
beforeEach(async () => {
  by = await service.organisation()
  receiver.received.length = 0
  receiver.answer = () => 200
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

async function register(wish: object = {}, owner = by): Promise<Webhook> {
  const { status, body } = await owner.call<Webhook>('POST', '/webhooks', { url: `${receiver.url}/events`, ...wish })
  expect(status).toBe(200)
  return body
}

async function send(more: object = {}, owner = by): Promise<string> {
  const message = { recipients: '08031234567', content: 'Hello', ...more }
  return (await owner.call<{ id: string }>('POST', '/sms/send', message)).body.id
}

const read = async (id: string) => (await by.call<Webhook>('GET', `/webhooks/${id}`)).body
const callbacksOf = async (query: string) =>
  (await by.call<{ callbacks: Callback[] }>('GET', `/callbacks?${query}`)).body.callbacks
const faultsOf = (body: { errors?: { field: string; type: string }[] }) =>
  (body.errors ?? []).map(({ field, type }) => `${field} ${type}`)
const verify = (secret: string, { body, headers }: Received) =>
  new Verifier(secret).verify(body, headers as Record<string, string>)

async function over(query: string, status: string): Promise<Callback> {
  return until(`a callback that is ${status}`, async () =>
    (await callbacksOf(query)).find((one) => one.status === status),
  )
}

describe('a webhook', () => {
  test('is created, listed, read, changed and deleted, and returns its secret once', async () => {
    const { meta, secret, ...made } = (
      await by.call<Webhook & { meta: object }>('POST', '/webhooks', {
        url: 'https://example.com/events',
        events: ['text.*', 'airtime.success'],
        description: 'Billing',
      })
    ).body
    expect(meta).toEqual({ method: 'POST', resource: '/webhooks' })
    expect(secret).toMatch(/^whsec_/)
    expect(made).toMatchObject({ events: ['text.*', 'airtime.success'], description: 'Billing', enabled: true })
    expect(await read(made.id)).toMatchObject(made)
    const list = await by.call<{ webhooks: Webhook[]; meta: { pagination: object } }>('GET', '/webhooks')
    expect(list.body.webhooks).toEqual([made])
    expect(list.body.meta.pagination).toMatchObject({ count_total: 1, next_page: 'False' })
    const changed = await by.call<Webhook>('PATCH', `/webhooks/${made.id}`, { events: ['*'], description: null })
    expect(changed.body).toMatchObject({ url: 'https://example.com/events', events: ['*'], enabled: true })
    expect(changed.body.description).toBeUndefined()
    expect(changed.body.updated_datetime).toMatch(/\+00:00$/)
    for (const { text } of [list, changed, await by.call('GET', `/webhooks/${made.id}`)]) {
      expect(text).not.toContain('whsec_')
    }
    expect((await by.call('DELETE', `/webhooks/${made.id}`)).status).toBe(204)
    expect((await by.call('GET', `/webhooks/${made.id}`)).status).toBe(404)
  })

  test('receives all events by default, with the same webhook-id as the callback of the request', async () => {
    const { id, secret } = await register()
    const message_id = await send({ callback: `${receiver.url}/reports` })
    const posts = await receiver.wait(2)
    const event = posts.find(({ path }) => path === '/events')
    const report = posts.find(({ path }) => path === '/reports')
    expect(event?.body).toBe(report?.body)
    expect(event?.headers['webhook-id']).toBe(report?.headers['webhook-id'])
    expect(event?.json).toMatchObject({ type: 'text.delivered', data: { id: message_id, status: 'delivered' } })
    verify(secret, event!)
    expect(() => verify(secret, report!)).toThrow('No matching signature found')

    const callbacks = await until('both delivered', async () => {
      const found = await callbacksOf(`subject_id=${message_id}&status=delivered`)
      return found.length === 2 && found
    })
    expect(new Set(callbacks.map((one) => one.event_id))).toEqual(new Set([event?.json.id]))
    expect(callbacks.map(({ webhook_id }) => webhook_id).sort()).toEqual([id, undefined])
    expect(await callbacksOf(`webhook_id=${id}`)).toMatchObject([{ webhook_id: id, status: 'delivered' }])
    expect(await callbacksOf(`event_id=${event?.json.id}`)).toHaveLength(2)
    expect(await callbacksOf(`webhook_id=${id}&status=failed`)).toEqual([])
    expect(await callbacksOf('webhook_id=nonsense')).toEqual([])
  })

  test('receives only the events of its filter, and none of other organisations', async () => {
    await register({ url: `${receiver.url}/rejected`, events: ['text.rejected'] })
    await register({ url: `${receiver.url}/airtime`, events: ['airtime.*'] })
    await register({ url: `${receiver.url}/off`, enabled: false })
    const other = await service.organisation()
    await send({}, other)
    await send({ recipients: '08031234567,2348000000003' })
    await by.call('POST', '/airtime/buy', { network: 'MTN', amount: 100, recipient: '08031234567' })
    const posts = await receiver.wait(2)
    await until(
      'all jobs to end',
      async () => (await service.db`select 1 from jobs where organisation_id = ${by.id}`).length === 0,
    )
    expect(posts.map(({ path, json }) => `${path} ${json.type}`).sort()).toEqual([
      '/airtime airtime.success',
      '/rejected text.rejected',
    ])
  })

  test('costs others nothing: without a webhook and a callback no job is stored', async () => {
    const id = await send()
    await until('the end', async () => {
      const { body } = await by.call<{ deliveries: { status: string }[] }>('GET', `/sms/${id}`)
      return body.deliveries[0]?.status === 'delivered'
    })
    expect(await callbacksOf(`subject_id=${id}`)).toEqual([])
  })

  test('in the format of Twilio requires the scope to send, because its responses are sent', async () => {
    const some = await service.organisation({ of: by, scopes: ['callbacks'] })
    const wish = { url: `${receiver.url}/sms`, format: 'twilio' }
    const refused = { status: 403, message: 'The API key lacks the scope sms.' }
    // The key is checked first, before other errors.
    for (const body of [wish, { ...wish, events: ['*'] }, { format: 'twilio' }]) {
      expect((await some.call('POST', '/webhooks', body)).body).toMatchObject(refused)
    }
    expect((await by.call('GET', '/webhooks')).body).toMatchObject({ webhooks: [] })
    const both = await service.organisation({ of: by, scopes: ['callbacks', 'sms'] })
    const { id } = await register(wish, both)
    const change = (body: object, who = some) => who.call('PATCH', `/webhooks/${id}`, body)
    expect((await change({ url: `${receiver.url}/mine` })).body).toMatchObject(refused)
    expect((await read(id)).url).toBe(wish.url)
    expect((await change({ url: wish.url, description: 'as it was' })).status).toBe(200)
    expect((await change({ url: `${receiver.url}/theirs` }, both)).status).toBe(200)
    const plain = await register({}, some)
    expect((await some.call('PATCH', `/webhooks/${plain.id}`, { url: wish.url })).status).toBe(200)
  })
})

describe('rotating the secret', () => {
  test('signs with both during the overlap, then with the new one alone', async () => {
    const { id, secret: old } = await register()
    const { body } = await by.call<Webhook>('POST', `/webhooks/${id}/rotate`, { overlap_hours: 2 })
    expect(body.secret).not.toBe(old)
    expect(Date.parse(body.old_secret_until ?? '')).toBeGreaterThan(Date.now() + 3_600_000)
    await send()
    const [first] = await receiver.wait(1)
    expect(String(first?.headers['webhook-signature']).split(' ')).toHaveLength(2)
    verify(old, first!)
    verify(body.secret, first!)
    await service.db`update webhooks set old_secret_until = now() where id = ${id}`
    await send()
    const [, second] = await receiver.wait(2)
    verify(body.secret, second!)
    expect(() => verify(old, second!)).toThrow('No matching signature found')
    expect((await read(id)).old_secret_until).toBeUndefined()
  })

  test('ends the old one immediately without an overlap', async () => {
    const { id, secret: old } = await register()
    const { body } = await by.call<Webhook>('POST', `/webhooks/${id}/rotate`, { overlap_hours: 0 })
    expect(body.old_secret_until).toBeUndefined()
    await send()
    const [post] = await receiver.wait(1)
    verify(body.secret, post!)
    expect(() => verify(old, post!)).toThrow('No matching signature found')
  })
})

describe('a test event', () => {
  test('is sent regardless of the filter, also to a disabled webhook, and attempted once', async () => {
    const { id, secret } = await register({ events: ['airtime.error'], enabled: false })
    const { body } = await by.call<Callback>('POST', `/webhooks/${id}/test`)
    const [post] = await receiver.wait(1)
    expect(post?.json).toMatchObject({ id: body.event_id, type: 'webhook.test', data: { id } })
    verify(secret, post!)
    expect((await over(`webhook_id=${id}`, 'delivered')).id).toBe(body.id)
    receiver.answer = () => 500
    await by.call('POST', `/webhooks/${id}/test`)
    expect(await over(`webhook_id=${id}`, 'failed')).toMatchObject({ attempts: 1 })
    expect((await read(id)).disabled_reason).toBeUndefined()
  })
})

describe('an endpoint that fails', () => {
  test('is marked as failing until it succeeds, and failed events are sent to its new address', async () => {
    const { id } = await register()
    receiver.answer = () => 503
    await send()
    const failing = await until('a failed attempt', async () => {
      const webhook = await read(id)
      return webhook.failing_since !== undefined && webhook
    })
    expect(failing.enabled).toBe(true)
    receiver.answer = () => 200
    await by.call('PATCH', `/webhooks/${id}`, { url: `${receiver.url}/moved` })
    const [waiting] = await callbacksOf(`webhook_id=${id}`)
    const replay = await by.call<Callback>('POST', `/callbacks/${waiting?.id}/replay`)
    expect(replay.body.status).toBe('pending')
    expect(await over(`webhook_id=${id}`, 'delivered')).toMatchObject({ attempts: 2, url: `${receiver.url}/moved` })
    expect((await read(id)).failing_since).toBeUndefined()
    const [first, second] = receiver.received
    expect([first?.path, second?.path]).toEqual(['/events', '/moved'])
    expect(first?.headers['webhook-id']).toBe(second?.headers['webhook-id'])
  })

  test('for days is disabled with a reason and a log entry, can be enabled, and receives the missed events', async () => {
    const { id } = await register()
    receiver.answer = () => 500
    const since = new Date(Date.now() - 60_000).toISOString()
    await send()
    await until('a failed attempt', async () => (await read(id)).failing_since)
    // As if it had failed for six days, and this event for a day.
    await service.db`update webhooks set failing_since = now() - interval '6 days' where id = ${id}`
    await service.db`update callback_attempts set created_datetime = now() - interval '25 hours'
      where organisation_id = ${by.id}`
    await service.db`update jobs set run_at = now() where lane = ${id}`
    const disabled = await until('the end', async () => {
      const webhook = await read(id)
      return !webhook.enabled && webhook
    })
    expect(disabled.disabled_reason).toMatch(/^The endpoint has failed since \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/)
    const notices = service.log_lines.filter(({ sentence }) => sentence === 'a webhook was disabled')
    expect(notices).toMatchObject([{ level: 'warn', details: { webhook_id: id, organisation_id: by.id } }])

    const unheard = await send()
    await until('the end of a message without a receiver', async () => {
      const { body } = await by.call<{ deliveries: { status: string }[] }>('GET', `/sms/${unheard}`)
      return body.deliveries[0]?.status === 'delivered'
    })
    const [failed, ...others] = await callbacksOf(`webhook_id=${id}`)
    expect([failed?.status, ...others]).toEqual(['failed'])
    const refused = await by.call('POST', `/callbacks/${failed?.id}/replay`)
    expect([refused.status, ...faultsOf(refused.body)]).toEqual([400, 'webhook_id invalid'])
    expect((await by.call('POST', `/webhooks/${id}/replay`, { since })).status).toBe(400)

    receiver.answer = () => 200
    const enabled = await by.call<Webhook>('PATCH', `/webhooks/${id}`, { enabled: true })
    expect(enabled.body.disabled_reason).toBeUndefined()
    expect(enabled.body.failing_since).toBeUndefined()
    const none = await by.call('POST', `/webhooks/${id}/replay`, { since, until: since })
    expect(none.body).toMatchObject({ replayed: 0, complete: true })
    const { body } = await by.call('POST', `/webhooks/${id}/replay`, { since })
    expect(body).toMatchObject({ replayed: 1, complete: true })
    expect((await over(`webhook_id=${id}`, 'delivered')).id).toBe(failed?.id)
  })

  test('once is not disabled, however long ago its last success is', async () => {
    const { id } = await register()
    receiver.answer = () => 500
    await send()
    await until('a failed attempt', async () => (await read(id)).failing_since)
    await service.db`update webhooks set failing_since = now() - interval '100 days' where id = ${id}`
    await service.db`update jobs set run_at = now() where lane = ${id}`
    await until('the second attempt', async () => (await callbacksOf(`webhook_id=${id}`))[0]?.attempts === 2)
    expect((await read(id)).enabled).toBe(true)
  })

  test('with 410 is disabled immediately', async () => {
    const { id } = await register()
    receiver.answer = () => 410
    await send()
    await over(`webhook_id=${id}`, 'stopped')
    expect(await read(id)).toMatchObject({ enabled: false, disabled_reason: expect.stringContaining('410') })
  })

  test('and is disabled or deleted meanwhile: pending callbacks are canceled when they are due', async () => {
    receiver.answer = () => 500
    const one = await register()
    const other = await register()
    await send()
    await until(
      'two attempts',
      async () => (await callbacksOf('')).filter(({ attempts }) => attempts === 1).length === 2,
    )
    await by.call('PATCH', `/webhooks/${one.id}`, { enabled: false })
    await by.call('DELETE', `/webhooks/${other.id}`)
    await service.db`update jobs set run_at = now() where lane in (${one.id}, ${other.id})`
    await over(`webhook_id=${one.id}`, 'stopped')
    const gone = await over(`webhook_id=${other.id}`, 'stopped')
    expect(receiver.received).toHaveLength(2)
    const refused = await by.call('POST', `/callbacks/${gone.id}/replay`)
    expect([refused.status, ...faultsOf(refused.body)]).toEqual([400, 'webhook_id not_found'])
  })

  test('does not delay others, not even on its own host', async () => {
    let release: () => void = () => {}
    const held = new Promise<number>((resolve) => {
      release = () => resolve(200)
    })
    receiver.answer = ({ path }) => (path === '/hang' ? held : 200)
    await register({ url: `${receiver.url}/hang` })
    const { id } = await register({ url: `${receiver.url}/quick` })
    const recipients = Array.from({ length: 100 }, (_, n) => `234803${String(n).padStart(7, '0')}`).join(',')
    await send({ recipients })
    await until('all events of the fast one', async () => {
      const { body } = await by.call<{ meta: { pagination: { count_total: number } } }>(
        'GET',
        `/callbacks?webhook_id=${id}&status=delivered&limit=1`,
      )
      return body.meta.pagination.count_total === 100
    })
    expect(receiver.received.filter(({ path }) => path === '/hang').length).toBeLessThan(100)
    release()
  })
})

describe('is rejected', () => {
  test('with 400 and all errors together', async () => {
    const { status, body } = await by.call('POST', '/webhooks', { events: ['text.*', 'text.lost', 7], description: 9 })
    expect(status).toBe(400)
    expect(faultsOf(body).sort()).toEqual([
      'description string_type',
      'events[1] enum',
      'events[2] string_type',
      'url missing',
    ])
    const urls = ['not a url', 'ftp://example.com', 'https://user:word@example.com']
    for (const url of urls) {
      expect(faultsOf((await by.call('POST', '/webhooks', { url })).body)).toEqual(['url url_parsing'])
    }
    const { id } = await register()
    expect(faultsOf((await by.call('PATCH', `/webhooks/${id}`, { url: 'x', events: [] })).body).sort()).toEqual([
      'events greater_than_equal',
      'url url_parsing',
    ])
    expect(faultsOf((await by.call('POST', `/webhooks/${id}/rotate`, { overlap_hours: 200 })).body)).toEqual([
      'overlap_hours less_than_equal',
    ])
    expect(faultsOf((await by.call('POST', `/webhooks/${id}/replay`, {})).body)).toEqual(['since missing'])
    for (const times of [
      { since: 'yesterday', until: '2026-11-14T00:00:00' },
      { since: '2026-02-30T00:00:00Z', until: '2026-11-14T00:00:00+99:00' },
      { since: '9999-12-31T23:59:59-23:59', until: '2026-11-14T24:00:01Z' },
    ]) {
      expect(faultsOf((await by.call('POST', `/webhooks/${id}/replay`, times)).body)).toEqual([
        'since date_invalid',
        'until date_invalid',
      ])
    }
    const ages = { since: '0000-01-01T00:00:00Z', until: '9999-12-31T23:59:59+23:59' }
    expect((await by.call('POST', `/webhooks/${id}/replay`, ages)).body).toMatchObject({ replayed: 0, complete: true })
    expect((await by.call('GET', '/webhooks?limit=0')).status).toBe(400)
  })

  test('with 400 from the fifty-first on, also for concurrent requests', async () => {
    const wishes = Array.from({ length: 60 }, () => by.call('POST', '/webhooks', { url: 'https://example.com' }))
    const statuses = (await Promise.all(wishes)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(50)
    expect(statuses.filter((status) => status === 400)).toHaveLength(10)
  })

  test('with 401, 403 and 404', async () => {
    expect((await fetch(`${service.url}/webhooks`)).status).toBe(401)
    const scoped = await service.organisation({ of: by, scopes: ['sms', 'settings'] })
    expect((await scoped.call('GET', '/webhooks')).status).toBe(403)
    expect((await scoped.call('POST', '/webhooks', { url: 'https://example.com' })).status).toBe(403)
    const theirs = await register({}, await service.organisation())
    for (const id of [theirs.id, 'nonsense', '019a8475-0000-7000-8000-000000000000']) {
      expect((await by.call('GET', `/webhooks/${id}`)).status).toBe(404)
      expect((await by.call('PATCH', `/webhooks/${id}`, { enabled: false })).status).toBe(404)
      expect((await by.call('DELETE', `/webhooks/${id}`)).status).toBe(404)
      expect((await by.call('POST', `/webhooks/${id}/rotate`, {})).status).toBe(404)
      expect((await by.call('POST', `/webhooks/${id}/test`)).status).toBe(404)
      expect((await by.call('POST', `/webhooks/${id}/replay`, { since: '2026-01-01T00:00:00Z' })).status).toBe(404)
    }
  })

  test('in live mode if the address is private', async () => {
    const live = await openService({ workers: false, config: { sandbox: false } })
    for (const url of [receiver.url, 'http://localhost/x', 'http://10.0.0.1', 'http://[::1]:80/']) {
      const { status, body } = await live.call('POST', '/webhooks', { url })
      expect([status, ...faultsOf(body)]).toEqual([400, 'url url_parsing'])
    }
    await live.close()
  })
})
