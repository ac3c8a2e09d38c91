import twilio from 'twilio'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { clientOf, loginOf, startApplication, type Login } from './twilio-setup.ts'

const TO = '+2348031234567'
const FROM = '+2347000000001'

let service: TestService
let by: Organisation
let login: Login
let client: ReturnType<typeof clientOf>
let application: Awaited<ReturnType<typeof startApplication>>

beforeAll(async () => {
  service = await openService()
  application = await startApplication()
})
beforeEach(async () => {
  by = await service.organisation()
  login = await loginOf(service, by)
  client = clientOf(service, login.account_sid, login.auth_token)
  application.posted.length = 0
  application.answer = () => ({})
})
afterAll(async () => {
  await service.close()
  await application.close()
})

const balanceOf = async (owner = by) => (await owner.call<{ balance: number }>('GET', '/balance')).body.balance

async function codeOf(deed: () => Promise<unknown>): Promise<string> {
  try {
    await deed()
  } catch (fault) {
    const { status, code } = fault as { status?: number; code?: number }
    return `${status} ${code}`
  }
  return 'done'
}

describe('Messages', () => {
  test('creates a message, fetches it, and lists it', async () => {
    const created = await client.messages.create({ to: TO, from: FROM, body: 'Hello & welcome ₦' })
    expect(created).toMatchObject({
      accountSid: login.account_sid,
      apiVersion: '2010-04-01',
      body: 'Hello & welcome ₦',
      direction: 'outbound-api',
      from: FROM,
      to: TO,
      numSegments: '1',
      numMedia: '0',
      status: 'queued',
      priceUnit: 'NGN',
      errorCode: null,
    })
    expect(created.sid).toMatch(/^SM[0-9a-f]{32}$/)
    expect(Date.now() - created.dateCreated.getTime()).toBeLessThan(60_000)
    const fetched = await until('the report', async () => {
      const one = await client.messages(created.sid).fetch()
      return one.status === 'delivered' ? one : undefined
    })
    expect(fetched).toMatchObject({ sid: created.sid, body: created.body, to: TO, from: FROM, price: '-4.0000' })
    await client.messages.create({ to: '+2348051234567', from: 'Gangan', body: 'Another' })
    const listed = await client.messages.list({ limit: 10 })
    expect(listed.map(({ body }) => body)).toEqual(['Another', created.body])
    const to_one = await client.messages.list({ to: TO, limit: 10 })
    expect(to_one.map(({ sid }) => sid)).toEqual([created.sid])
  })

  test('lists page by page', async () => {
    for (const body of ['1', '2', '3', '4', '5']) await client.messages.create({ to: TO, from: 'Gangan', body })
    const listed = await client.messages.list({ pageSize: 2 })
    expect(listed.map(({ body }) => body)).toEqual(['5', '4', '3', '2', '1'])
    const page = await client.messages.page({ pageSize: 2 })
    const next = await page.nextPage()
    expect(next?.instances.map(({ body }) => body)).toEqual(['3', '2'])
  })

  test('a messaging service stands for the default sender', async () => {
    const messagingServiceSid = `MG${'0'.repeat(32)}`
    const sent = await client.messages.create({ to: TO, messagingServiceSid, body: 'Hello' })
    expect(sent).toMatchObject({ from: 'Gangan', messagingServiceSid })
    const delivered = await until('the report', async () => {
      const one = await client.messages(sent.sid).fetch()
      return one.status === 'delivered' ? one : undefined
    })
    expect(delivered.messagingServiceSid).toBe(messagingServiceSid)
    const plain = await client.messages.create({ to: TO, from: 'Gangan', body: 'Without' })
    expect(plain.messagingServiceSid).toBe(null)
    const both = { to: TO, from: FROM, messagingServiceSid, body: 'Both', statusCallback: `${application.url}/status` }
    expect(await client.messages.create(both)).toMatchObject({ from: FROM, messagingServiceSid })
    const listed = await client.messages.list()
    expect(listed.map((one) => one.messagingServiceSid)).toEqual([messagingServiceSid, null, messagingServiceSid])
    const id = sent.sid.slice(2).replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5')
    expect((await by.call('GET', `/sms/${id}`)).body).not.toHaveProperty('callback')
    const { callbacks } = (await by.call<{ callbacks: { url: string }[] }>('GET', '/callbacks')).body
    expect(new Set(callbacks.map(({ url }) => url))).toEqual(new Set([`${application.url}/status`]))
  })

  test('schedules, cancels once, and gives the money back', async () => {
    const before = await balanceOf()
    const sendAt = new Date(Date.now() + 3_600_000)
    const messagingServiceSid = `MG${'0'.repeat(32)}`
    const wish = { to: TO, messagingServiceSid, body: 'Later', sendAt, scheduleType: 'fixed' as const }
    const { sid, status } = await client.messages.create(wish)
    expect(status).toBe('scheduled')
    expect(await balanceOf()).toBe(before - 4)
    expect((await client.messages(sid).update({ status: 'canceled' })).status).toBe('canceled')
    expect(await balanceOf()).toBe(before)
    expect(await codeOf(() => client.messages(sid).update({ status: 'canceled' }))).toBe('409 30409')
    expect(await balanceOf()).toBe(before)
  })

  test('scheduling is refused with the numbers of Twilio, and charges nothing', async () => {
    const before = await balanceOf()
    const ahead = (ms: number) => new Date(Date.now() + ms)
    const create = (wish: object) =>
      codeOf(() => client.messages.create({ to: TO, messagingServiceSid: `MG${'0'.repeat(32)}`, body: 'x', ...wish }))
    const fixed = { scheduleType: 'fixed' }
    expect(await create(fixed)).toBe('400 35111')
    expect(await create({ ...fixed, sendAt: ahead(3_600_000), messagingServiceSid: undefined, from: FROM })).toBe(
      '400 35118',
    )
    expect(await create({ sendAt: ahead(3_600_000), messagingServiceSid: undefined, from: FROM })).toBe('400 35118')
    expect(await create({ ...fixed, sendAt: ahead(200_000) })).toBe('400 35115')
    expect(await create({ ...fixed, sendAt: ahead(-3_600_000) })).toBe('400 35115')
    expect(await create({ ...fixed, sendAt: ahead(36 * 86_400_000) })).toBe('400 35114')
    expect(await create({ ...fixed, sendAt: 'tomorrow' })).toBe('400 35114')
    expect(await create({ scheduleType: 'sometime', sendAt: ahead(3_600_000) })).toBe('400 35126')
    expect(await create({ messagingServiceSid: 'MG no' })).toBe('400 21701')
    expect(await balanceOf()).toBe(before)
    expect(await client.messages.list()).toEqual([])
    // The service may also stand in From.
    const wish = { ...fixed, sendAt: ahead(600_000), messagingServiceSid: undefined, from: `MG${'0'.repeat(32)}` }
    expect(await create(wish)).toBe('done')
  })

  test('a form may be multipart, within the same bounds', async () => {
    const post = (fields: [string, string | Blob][]) => {
      const body = new FormData()
      for (const [name, value] of fields) body.append(name, value)
      return fetch(`${service.url}/2010-04-01/Accounts/${login.account_sid}/Messages.json`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${login.account_sid}:${login.auth_token}`)}` },
        body,
      })
    }
    const before = await balanceOf()
    const text = 'Ẹ káàárọ̀ & 😀\r\nline'
    const sent = await post([
      ['To', TO],
      ['From', 'Gangan'],
      ['Body', text],
    ])
    expect(sent.status).toBe(201)
    expect(await sent.json()).toMatchObject({ body: text, to: TO })
    expect(await balanceOf()).toBeLessThan(before)
    const after = await balanceOf()
    const faults: [string, string | Blob][][] = [
      [['Body', new Blob(['x'])]],
      [['Body', 'x'.repeat(300_000)]],
      Array.from({ length: 201 }, () => ['a', '1'] as [string, string]),
    ]
    const answers = await Promise.all(faults.map(post))
    const codes = await Promise.all(
      answers.map(async (one) => `${one.status} ${((await one.json()) as { code: number }).code}`),
    )
    expect(codes).toEqual(['400 20001', '413 20001', '400 20001'])
    expect(await balanceOf()).toBe(after)
  })

  test('an idempotency token sends and charges once', async () => {
    const before = await balanceOf()
    const post = (body: string) =>
      fetch(`${service.url}/2010-04-01/Accounts/${login.account_sid}/Messages.json`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${login.account_sid}:${login.auth_token}`).toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
          'i-twilio-idempotency-token': 'order-1',
        },
        body: new URLSearchParams({ To: TO, From: 'Gangan', Body: body }),
      })
    const answers = await Promise.all([post('Once'), post('Once'), post('Once')])
    const again = await post('Once')
    const sids = await Promise.all([...answers, again].map(async (one) => ((await one.json()) as { sid?: string }).sid))
    expect(again.status).toBe(201)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(new Set(sids.filter(Boolean)).size).toBe(1)
    expect(await balanceOf()).toBe(before - 4)
    const other = await post('Something else')
    expect(other.status).toBe(409)
    expect(await other.json()).toMatchObject({ code: 20409 })
  })

  test('faults have the numbers of Twilio, and change nothing', async () => {
    const before = await balanceOf()
    const create = (wish: object) =>
      codeOf(() => client.messages.create({ to: TO, from: 'Gangan', body: 'x', ...wish }))
    expect(await create({ to: '12' })).toBe('400 21211')
    expect(await create({ to: '' })).toBe('400 21604')
    expect(await create({ to: `${TO},${TO}` })).toBe('400 21211')
    expect(await create({ from: 'Much too long a name' })).toBe('400 21212')
    expect(await create({ from: 'No*' })).toBe('400 21606')
    expect(await create({ from: undefined })).toBe('400 21603')
    expect(await create({ body: '' })).toBe('400 21602')
    expect(await create({ body: 'x'.repeat(1_700) })).toBe('400 21617')
    expect(await create({ statusCallback: 'ftp://a.example' })).toBe('400 21609')
    expect(await create({ mediaUrl: ['https://a.example/a.png'] })).toBe('400 21620')
    expect(await create({ contentSid: `HX${'0'.repeat(32)}` })).toBe('404 21655')
    expect(await create({ validityPeriod: 1e9 })).toBe('400 20001')
    expect(await codeOf(() => client.messages(`SM${'0'.repeat(32)}`).fetch())).toBe('404 20404')
    expect(await codeOf(() => client.messages('nonsense').fetch())).toBe('404 20404')
    expect(await codeOf(() => client.messages(`SM${'0'.repeat(32)}`).update({ body: '' }))).toBe('404 20404')
    expect(await codeOf(() => client.calls.list())).toBe('404 20404')
    expect(await balanceOf()).toBe(before)
    expect(await client.messages.list()).toEqual([])
  })

  test('an opted-out recipient and an insufficient balance are refused before anything is charged', async () => {
    await by.call('POST', '/optouts', { recipients: TO })
    const before = await balanceOf()
    const create = (to: string) => codeOf(() => client.messages.create({ to, from: 'Gangan', body: 'x' }))
    expect(await create(TO)).toBe('400 21610')
    expect(await balanceOf()).toBe(before)
    expect(await create('+2348051234567')).toBe('done')
    const poor = await service.organisation({ credit: 1 })
    const other = await loginOf(service, poor)
    const poor_client = clientOf(service, other.account_sid, other.auth_token)
    expect(await codeOf(() => poor_client.messages.create({ to: TO, from: 'Gangan', body: 'x' }))).toBe('402 20005')
    expect(await balanceOf(poor)).toBe(1)
  })
})

describe('StatusCallback', () => {
  const posted = (status: string) =>
    until(`a post of ${status}`, () => application.posted.find(({ params }) => params.MessageStatus === status))

  test('is posted queued and sent, too, and no registered webhook is', async () => {
    const url = `${application.url}/registered`
    expect((await by.call('POST', '/webhooks', { url, events: ['*'] })).status).toBe(200)
    const statusCallback = `${application.url}/status`
    const { sid } = await client.messages.create({ to: TO, from: FROM, body: 'Hello', statusCallback })
    for (const status of ['queued', 'sent', 'delivered']) await posted(status)
    await until('the webhook', () => application.posted.find(({ path }) => path === '/registered'))
    const posts = application.posted.filter(({ path }) => path === '/status')
    expect(posts.map(({ params }) => params.MessageStatus).sort()).toEqual(['delivered', 'queued', 'sent'])
    for (const { params, headers } of posts) {
      expect(params).toMatchObject({ MessageSid: sid, To: TO, From: FROM, AccountSid: login.account_sid })
      const signature = String(headers['x-twilio-signature'])
      expect(twilio.validateRequest(login.auth_token, signature, statusCallback, params)).toBe(true)
    }
    const { callbacks } = (await by.call<{ callbacks: { type: string; url: string }[] }>('GET', '/callbacks')).body
    expect(callbacks.filter((one) => one.url === url).map(({ type }) => type)).toEqual(['text.delivered'])
  })

  test('of our own API has no steps: one post for the final state', async () => {
    const callback = `${application.url}/native`
    await by.call('POST', '/sms/send', { recipients: TO, content: 'x', callback })
    await until('its report', () => application.posted.find(({ path }) => path === '/native'))
    const { callbacks } = (await by.call<{ callbacks: { type: string }[] }>('GET', '/callbacks')).body
    expect(callbacks.map(({ type }) => type)).toEqual(['text.delivered'])
  })

  test("posts a form whose signature Twilio's library accepts", async () => {
    const statusCallback = `${application.url}/status?order=7`
    const { sid } = await client.messages.create({ to: TO, from: FROM, body: 'Hello', statusCallback })
    const post = await posted('delivered')
    expect(post?.params).toMatchObject({
      MessageSid: sid,
      SmsSid: sid,
      MessageStatus: 'delivered',
      SmsStatus: 'delivered',
      AccountSid: login.account_sid,
      To: TO,
      From: FROM,
      ApiVersion: '2010-04-01',
    })
    expect(post?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    const signature = String(post?.headers['x-twilio-signature'])
    const check = (token: string, url: string, params: object) =>
      twilio.validateRequest(token, signature, url, params as Record<string, string>)
    expect(check(login.auth_token, statusCallback, post?.params ?? {})).toBe(true)
    expect(check('0'.repeat(32), statusCallback, post?.params ?? {})).toBe(false)
    expect(check(login.auth_token, statusCallback, { ...post?.params, MessageStatus: 'failed' })).toBe(false)
    expect(check(login.auth_token, `${statusCallback}8`, post?.params ?? {})).toBe(false)
  })

  test('reports why it was not delivered, retries, and is logged under its own URL', async () => {
    const finals = () => application.posted.filter(({ params }) => params.MessageStatus === 'undelivered')
    application.answer = () => ({ status: finals().length > 1 ? 200 : 503 })
    const statusCallback = `${application.url}/status`
    const { sid } = await client.messages.create({ to: '+2348000000001', from: 'Gangan', body: 'x', statusCallback })
    const [first, second] = await until('two tries', () => (finals().length > 1 ? finals() : undefined))
    // A step is posted once. Those of the messages before may still arrive.
    const steps = application.posted.filter(
      ({ params }) => params.MessageSid === sid && params.MessageStatus === 'sent',
    )
    expect(steps.length).toBeLessThan(2)
    expect(first?.params).toMatchObject({ MessageSid: sid, MessageStatus: 'undelivered', ErrorCode: '30005' })
    expect(second?.params).toEqual(first?.params)
    const { callbacks } = (await by.call<{ callbacks: { url: string }[] }>('GET', '/callbacks')).body
    expect(new Set(callbacks.map(({ url }) => url))).toEqual(new Set([statusCallback]))
    const id = sid.slice(2).replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5')
    expect((await by.call<{ callback: string }>('GET', `/sms/${id}`)).body.callback).toBe(statusCallback)
  }, 20_000)

  test('cannot be requested through the public API', async () => {
    const callback = `twilio:${login.account_sid}:${login.key_id} ${application.url}/status`
    const { status, body } = await by.call('POST', '/sms/send', { recipients: TO, content: 'x', callback })
    expect(status).toBe(400)
    expect(body).toMatchObject({ errors: [{ field: 'callback', type: 'url_parsing' }] })
  })
})

describe('an inbound text', () => {
  async function listen(): Promise<string> {
    const wish = { url: `${application.url}/sms`, format: 'twilio', events: ['text.received'] }
    const { status, body } = await by.call<{ secret: string }>('POST', '/webhooks', wish)
    expect(status).toBe(200)
    return body.secret
  }
  const write = (text: string, to = FROM) => by.call('POST', '/sandbox/reply', { from: TO, to, text })
  const phone = async () => {
    const shown = await by.call<{ messages: { text: string; sender_id: string }[] }>(
      'GET',
      `/sandbox/messages?recipient=${encodeURIComponent(TO)}`,
    )
    return shown.body.messages
  }

  test('is posted as Twilio does, signed with the auth token, and fetched by its SID', async () => {
    expect(await listen()).toBe(login.auth_token)
    await write('Where is my order?')
    const [post] = await application.wait(1)
    expect(post?.params).toMatchObject({
      AccountSid: login.account_sid,
      Body: 'Where is my order?',
      From: TO,
      To: FROM,
      NumMedia: '0',
      SmsStatus: 'received',
    })
    const signature = String(post?.headers['x-twilio-signature'])
    expect(twilio.validateRequest(login.auth_token, signature, `${application.url}/sms`, post?.params ?? {})).toBe(true)
    const fetched = await client.messages(post?.params.MessageSid ?? '').fetch()
    expect(fetched).toMatchObject({ direction: 'inbound', status: 'received', body: 'Where is my order?', from: TO })
  })

  test('is answered with TwiML, once, though the answer comes twice', async () => {
    await listen()
    const response = new twilio.twiml.MessagingResponse()
    response.message('On its way & soon there')
    response.message('Thank you')
    application.answer = () => ({ text: response.toString() })
    await write('Where?')
    await until('both answers', async () => ((await phone()).length === 2 ? true : undefined))
    expect((await phone()).map(({ text, sender_id }) => `${sender_id}: ${text}`).sort()).toEqual([
      `${FROM.slice(1)}: On its way & soon there`,
      `${FROM.slice(1)}: Thank you`,
    ])
    const after = await balanceOf()
    const received = await until('the text is posted', async () => {
      const { body } = await by.call<{ callbacks: { id: string; status: string }[] }>('GET', '/callbacks')
      return body.callbacks.find(({ status }) => status === 'delivered')
    })
    await by.call('POST', `/callbacks/${received.id}/replay`)
    await application.wait(2)
    await until('it is posted again', async () => {
      const { body } = await by.call<{ status: string; attempts: number }>('GET', `/callbacks/${received.id}`)
      return body.status === 'delivered' && body.attempts === 2 ? true : undefined
    })
    expect(await balanceOf()).toBe(after)
    expect(await phone()).toHaveLength(2)
  })

  test('is answered as plain text, once', async () => {
    await listen()
    application.answer = () => ({ text: ' On its way & <soon> \n', type: 'text/plain; charset=utf-8' })
    const before = await balanceOf()
    await write('Where?')
    await until('the answer', async () => ((await phone()).length === 1 ? true : undefined))
    expect((await phone()).map(({ text, sender_id }) => `${sender_id}: ${text}`)).toEqual([
      `${FROM.slice(1)}: On its way & <soon>`,
    ])
    expect(await balanceOf()).toBe(before - 4)
    application.answer = () => ({ text: 'x'.repeat(2_000), type: 'text/plain' })
    await write('Where now?')
    await until('the refusal in the log', () =>
      service.log_lines.find(({ sentence }) => sentence === 'the reply to a text was refused'),
    )
    expect(await balanceOf()).toBe(before - 4)
  })

  test('an answer that is no TwiML sends nothing', async () => {
    await listen()
    application.answer = () => ({ text: 'ok' })
    const before = await balanceOf()
    await write('Hello')
    await application.wait(1)
    expect(await phone()).toEqual([])
    expect(await balanceOf()).toBe(before)
  })

  test('in this form there are no events but texts', async () => {
    const wish = { url: `${application.url}/sms`, format: 'twilio' }
    const refused = await by.call<{ errors: object[] }>('POST', '/webhooks', { ...wish, events: ['airtime.*', '*'] })
    expect(refused.status).toBe(400)
    expect(refused.body.errors).toHaveLength(2)
    const made = await by.call<{ id: string; events: string[]; format: string }>('POST', '/webhooks', wish)
    expect(made.body).toMatchObject({ events: ['text.*'], format: 'twilio' })
    expect((await by.call('PATCH', `/webhooks/${made.body.id}`, { events: ['*'] })).status).toBe(400)
  })
})
