import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { clientOf, loginOf, type Login } from './twilio-setup.ts'

const TO = '+2348031234567'
const FROM = '+2347000000001'
const SECRET = 'Meet me at the harbour 7f3a'

let service: TestService
let by: Organisation
let login: Login
let client: ReturnType<typeof clientOf>

beforeAll(async () => {
  service = await openService()
})
beforeEach(async () => {
  by = await service.organisation()
  login = await loginOf(service, by)
  client = clientOf(service, login.account_sid, login.auth_token)
})
afterAll(() => service.close())

async function codeOf(deed: () => Promise<unknown>): Promise<string> {
  try {
    await deed()
  } catch (fault) {
    const { status, code } = fault as { status?: number; code?: number }
    return `${status} ${code}`
  }
  return 'done'
}

const balanceOf = async () => (await by.call<{ balance: number }>('GET', '/balance')).body.balance

/** Sends it with an idempotency token, so that the answer is kept, and waits until it is delivered. */
async function deliver(key: string): Promise<string> {
  const answer = await post(key)
  const { sid } = (await answer.json()) as { sid: string }
  await until('the report', async () => (await client.messages(sid).fetch()).status === 'delivered')
  return sid
}

function post(key: string): Promise<Response> {
  return fetch(`${service.url}/2010-04-01/Accounts/${login.account_sid}/Messages.json`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${login.account_sid}:${login.auth_token}`)}`,
      'i-twilio-idempotency-token': key,
    },
    body: new URLSearchParams({ To: TO, From: FROM, Body: SECRET }),
  })
}

/** The tables in which a text is still found. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await service.db<{ name: string }[]>`
    select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and nspname = 'public'`
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await service.db.unsafe(`select 1 from "${name}" row where strpos(row::text, '${text}') > 0 limit 1`)
    if (rows.length > 0) found.push(name)
  }
  return found
}

describe('a message that was sent', () => {
  test('has its body removed wherever it is stored; who got it and what it cost stays', async () => {
    const before = await balanceOf()
    const sid = await deliver('order-1')
    await until('the log of calls', async () => (await tablesWith(SECRET)).includes('request_bursts'))
    const redacted = await client.messages(sid).update({ body: '' })
    expect(redacted).toMatchObject({ sid, body: '', status: 'delivered', to: TO, from: FROM, price: '-4.0000' })
    await until('it to be nowhere', async () => (await tablesWith(SECRET)).length === 0, 20_000)
    expect(await balanceOf()).toBe(before - 4)
    const again = await post('order-1')
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await again.json()).toMatchObject({ sid, body: '' })
    expect(await balanceOf()).toBe(before - 4)
    expect((await client.messages.list()).map((one) => `${one.sid} ${one.body}`)).toEqual([`${sid} `])
  }, 40_000)

  test('is gone from this API once it is deleted; our own shows that it was sent', async () => {
    const before = await balanceOf()
    const sid = await deliver('order-2')
    expect(await client.messages(sid).remove()).toBe(true)
    expect(await codeOf(() => client.messages(sid).fetch())).toBe('404 20404')
    expect(await codeOf(() => client.messages(sid).remove())).toBe('404 20404')
    expect(await codeOf(() => client.messages(sid).update({ body: '' }))).toBe('404 20404')
    expect(await client.messages.list()).toEqual([])
    expect(await client.messages.list({ to: TO })).toEqual([])
    expect(await client.messages.list({ from: FROM })).toEqual([])
    const id = sid.slice(2).replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5')
    const { body } = await by.call<{ content?: string; deliveries: object[] }>('GET', `/sms/${id}`)
    expect(body.content).toBe(undefined)
    expect(body.deliveries).toMatchObject([{ status: 'delivered', charge: 4, refunded: false }])
    expect(await balanceOf()).toBe(before - 4)
  })

  test('is refused while it is still to be sent, and keeps its body', async () => {
    const { sid } = await client.messages.create({
      to: TO,
      messagingServiceSid: `MG${'0'.repeat(32)}`,
      body: 'Later',
      sendAt: new Date(Date.now() + 3_600_000),
      scheduleType: 'fixed',
    })
    expect(await codeOf(() => client.messages(sid).remove())).toBe('409 20009')
    expect(await codeOf(() => client.messages(sid).update({ body: '' }))).toBe('409 20009')
    expect(await client.messages(sid).fetch()).toMatchObject({ body: 'Later', status: 'scheduled' })
    await client.messages(sid).update({ status: 'canceled' })
    expect((await client.messages(sid).update({ body: '' })).body).toBe('')
    const idle = await openService({ workers: false })
    try {
      const { account_sid, auth_token } = await loginOf(idle, idle)
      const waiting = clientOf(idle, account_sid, auth_token)
      const queued = await waiting.messages.create({ to: TO, from: FROM, body: 'Waits' })
      expect(await codeOf(() => waiting.messages(queued.sid).remove())).toBe('409 20009')
      expect((await waiting.messages(queued.sid).fetch()).body).toBe('Waits')
    } finally {
      await idle.close()
    }
  })

  test('is changed by one thing at a time, by its own organisation', async () => {
    const sid = await deliver('order-3')
    const update = (wish: object) => codeOf(() => client.messages(sid).update(wish))
    expect(await update({ body: 'Another text' })).toBe('400 30400')
    expect(await update({ body: '', status: 'canceled' })).toBe('400 30400')
    expect(await update({})).toBe('400 30400')
    const other = await loginOf(service, await service.organisation())
    const stranger = clientOf(service, other.account_sid, other.auth_token)
    expect(await codeOf(() => stranger.messages(sid).remove())).toBe('404 20404')
    expect(await codeOf(() => stranger.messages(sid).update({ body: '' }))).toBe('404 20404')
    expect((await client.messages(sid).fetch()).body).toBe(SECRET)
  })
})

describe('a message that was received', () => {
  test('is redacted and deleted likewise, with what was to be posted about it', async () => {
    const url = 'http://127.0.0.1:1/sms'
    await by.call('POST', '/webhooks', { url, events: ['text.received'] })
    const text = `${SECRET} in reply`
    const whatsapp = { location: { latitude: 6, longitude: 3, name: text } }
    await by.call('POST', '/sandbox/reply', { from: TO, to: FROM, channel: 'whatsapp', text, whatsapp })
    const [received] = await client.messages.list()
    const sid = received?.sid ?? ''
    expect((await client.messages(sid).update({ body: '' })).body).toBe('')
    await until('it to be nowhere', async () => (await tablesWith(text)).length === 0, 20_000)
    expect(await client.messages(sid).remove()).toBe(true)
    expect(await codeOf(() => client.messages(sid).fetch())).toBe('404 20404')
    expect(await client.messages.list()).toEqual([])
  }, 40_000)
})
