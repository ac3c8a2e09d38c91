import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { claimRecipients } from '../../src/carriers/whatsapp/store.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import {
  failure,
  inbound,
  NUMBER,
  postWebhook,
  sign,
  startMetaServer,
  statusOf,
  webhookBody,
  type MetaServer,
  type Taken,
} from '../support/meta-server.ts'
import { balance, request, RIGHT, verify } from '../support/otp.ts'
import { startReceiver } from '../support/receiver.ts'
import { loseAll } from '../support/intake.ts'
import { until } from '../support/until.ts'

let meta: MetaServer
let service: TestService
let by: Organisation

const routes = [
  { name: 'sms', channel: 'sms', carrier: 'simulator' },
  { name: 'whatsapp', channel: 'whatsapp', carrier: 'meta' },
]

/** Live settings, but receivers on this machine may be called and any sender used. */
const options = () => ({
  settings: { carriers: [{ kind: 'simulator', name: 'simulator', report_delay_ms: 20 }, meta.settings()], routes },
  config: { sandbox: true },
})

beforeAll(async () => {
  meta = await startMetaServer()
  service = await openService(options())
  await until('the templates', async () => (await service.db`select 1 from whatsapp_templates`).length === 2, 60_000)
})
afterAll(async () => {
  await service.close()
  await meta.close()
})
beforeEach(async () => {
  by = await service.organisation({ credit: 100 })
  meta.mood = 'take'
  meta.taken.length = 0
  meta.calls.length = 0
})

let next_number = 2_348_031_000_000
/** A person who has just written, so that free text may be sent. */
async function person(): Promise<string> {
  const recipient = String((next_number += 1))
  await service.db`
    insert into whatsapp_users (carrier, recipient, received_datetime) values ('meta', ${recipient}, now())`
  return recipient
}

async function send(recipient: string, content = 'Hello', more: object = {}): Promise<string> {
  const body = { recipients: recipient, content, channel: 'whatsapp', ...more }
  const answer = await by.call<{ id: string }>('POST', '/sms/send', body)
  expect(answer.text).toContain('"id"')
  return answer.body.id
}

type Delivery = { status: string; code?: string; description?: string; refunded: boolean }
async function deliveryOf(id: string): Promise<Delivery | undefined> {
  return (await by.call<{ deliveries: Delivery[] }>('GET', `/sms/${id}`)).body.deliveries[0]
}
const ended = (id: string, status: string) =>
  until(status, async () => {
    const delivery = await deliveryOf(id)
    return delivery?.status === status && delivery
  })
const taken = (count = 1): Promise<Taken[]> =>
  until(`${count} accepted`, () => meta.taken.length >= count && meta.taken)
const postStatuses = (...statuses: object[]) => postWebhook(service, webhookBody([{ statuses }]))

describe('a text', () => {
  test("is sent in Meta's format, once, and its statuses make it delivered", async () => {
    const recipient = await person()
    const id = await send(recipient, 'Hello *you*')
    const [message] = await taken()
    expect(message).toEqual({
      wamid: message?.wamid,
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: recipient,
      type: 'text',
      text: { body: 'Hello *you*', preview_url: false },
      biz_opaque_callback_data: `${by.id} ${id} ${recipient}`,
    })
    expect(meta.calls[0]).toMatchObject({ authorization: 'Bearer the-token' })
    await ended(id, 'sent')
    expect(await postStatuses(statusOf(message!, 'sent'), statusOf(message!, 'delivered'))).toBe(200)
    expect(await ended(id, 'delivered')).toMatchObject({ code: '000', refunded: false })
    expect(meta.calls).toHaveLength(1)
  })

  test.each([
    ['131026', 131026, 'not on WhatsApp'],
    ['131047', 131047, '24 hours'],
    ['131049', 131049, 'marketing'],
    ['132001', 132001, 'no such template'],
    ['a code of tomorrow', 139999, 'details of 139999'],
  ])('rejected with %s is refunded', async (_, code, words) => {
    meta.mood = { code }
    const id = await send(await person())
    expect(await ended(id, 'rejected')).toMatchObject({ code: String(code), refunded: true })
    expect((await deliveryOf(id))?.description).toContain(words)
    expect(await balance(by)).toBe(100)
  })

  test.each([130429, 131053])('rejected with %d is retried and arrives', async (code) => {
    let refused = 0
    meta.mood = () => ((refused += 1) <= 1 ? { code, status: code === 130429 ? 429 : 400 } : 'take')
    // Another test covers the limit per person: here Meta's response counts.
    const recipient = await person()
    const id = await send(recipient)
    await until('a rejection', () => refused >= 1)
    await service.db`update whatsapp_users set sent_datetime = null where recipient = ${recipient}`
    await taken()
    expect(await ended(id, 'sent')).toMatchObject({ refunded: false })
  })

  test('that failed later is rejected and refunded; one that was delivered stays so', async () => {
    const [lost, kept] = [await send(await person()), await send(await person())]
    const messages = await taken(2)
    const of = (id: string) => messages.find((one) => one.biz_opaque_callback_data.includes(id))!
    expect(await postStatuses(failure(of(lost), 131026), statusOf(of(kept), 'read'), failure(of(kept), 131026))).toBe(
      200,
    )
    expect(await ended(lost, 'rejected')).toMatchObject({ code: '131026', refunded: true })
    expect(await ended(kept, 'delivered')).toMatchObject({ description: 'read', refunded: false })
    expect(await balance(by)).toBe(94)
  })
})

describe('an inconclusive response', () => {
  test.each(['take_and_500', 'take_and_drop'] as const)(
    '(%s) is not sent again, and the webhook settles it by our own reference',
    async (mood) => {
      meta.mood = mood
      const [good, bad] = [await send(await person()), await send(await person())]
      const messages = await taken(2)
      const of = (id: string) => messages.find((one) => one.biz_opaque_callback_data.includes(id))!
      await ended(good, 'sent')
      await ended(bad, 'sent')
      expect(await postStatuses(statusOf(of(good), 'delivered'), failure(of(bad), 131026))).toBe(200)
      await ended(good, 'delivered')
      expect(await ended(bad, 'rejected')).toMatchObject({ refunded: true })
      expect(meta.calls).toHaveLength(2)
    },
  )

  test('without a webhook: unknown, until a late one arrives', async () => {
    meta.mood = 'take_and_500'
    const id = await send(await person())
    const [message] = await taken()
    await ended(id, 'sent')
    await service.db`update submissions set report_due = now() where message_id = ${id}`
    await ended(id, 'unknown')
    expect(await postStatuses(statusOf(message!, 'delivered'))).toBe(200)
    await ended(id, 'delivered')
  })

  test.each(['before', 'after'])(
    'and a webhook %s it that Meta has it: a failure reported much later is refunded',
    async (when) => {
      meta.mood = 'take_and_500'
      if (when === 'before') meta.beforeAnswer = (message) => postStatuses(statusOf(message, 'sent'))
      const reported = await send(await person())
      const [message] = await taken()
      await ended(reported, 'sent')
      delete meta.beforeAnswer
      if (when === 'after') await postStatuses(statusOf(message!, 'sent'))
      const silent = await send(await person())
      await ended(silent, 'sent')
      // As if a quarter of an hour had passed.
      await service.db`
      update submissions set report_due = now()
      where message_id in (${reported}, ${silent}) and report_due < now() + interval '1 hour'`
      await ended(silent, 'unknown')
      expect(await postStatuses(failure(message!, 131026))).toBe(200)
      expect(await ended(reported, 'rejected')).toMatchObject({ refunded: true })
    },
  )

  test('a one-time password may be sent again', async () => {
    let calls = 0
    meta.mood = () => ((calls += 1) === 1 ? 'take_and_500' : 'take')
    const recipient = await person()
    const { body } = await request(by, { recipient, channel: 'whatsapp' })
    await until('the first', () => calls >= 1)
    await service.db`update whatsapp_users set sent_datetime = null where recipient = ${recipient}`
    await taken(2)
    expect((await verify(by, body.id)).status).toBe(200)
  })
})

describe('a process that crashes', () => {
  test('with a message in flight: it is not sent again, and the webhook settles it', async () => {
    const quiet = await openService({ ...options(), workers: false })
    by = quiet
    const recipient = String((next_number += 1))
    await quiet.db`
      insert into whatsapp_users (carrier, recipient, received_datetime) values ('meta', ${recipient}, now())`
    const [reported, silent] = [await send(recipient, 'reported'), await send(recipient, 'silent')]
    // As if a worker had died after Meta accepted both, and Meta had reported on one of them since.
    await loseAll(quiet.db)
    const message = {
      wamid: 'wamid.reported',
      to: recipient,
      biz_opaque_callback_data: `${quiet.id} ${reported} ${recipient}`,
    }
    const body = webhookBody([{ statuses: [statusOf(message, 'delivered')] }])
    expect(await postWebhook(quiet, body)).toBe(200)
    const worker = await openService({ ...options(), beside: quiet })
    await ended(reported, 'delivered')
    await ended(silent, 'unknown')
    const late = { ...message, wamid: 'wamid.silent', biz_opaque_callback_data: `${quiet.id} ${silent} ${recipient}` }
    await postWebhook(quiet, webhookBody([{ statuses: [statusOf(late, 'read')] }]))
    expect(await ended(silent, 'delivered')).toMatchObject({ description: 'read' })
    expect(meta.calls.filter((call) => call.body.to === recipient)).toEqual([])
    await worker.close()
    await quiet.close()
  })
})

describe('a one-time password', () => {
  test('is sent as the authentication template, with the code in body and button only', async () => {
    const recipient = String((next_number += 1)) // Has never written.
    const { body, status } = await request(by, { recipient, channel: 'whatsapp' })
    expect(status).toBe(200)
    const [message] = await taken()
    expect(message?.template).toEqual({
      name: 'login_code',
      language: { code: 'en', policy: 'deterministic' },
      components: [
        { type: 'body', parameters: [{ type: 'text', text: RIGHT }] },
        { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: RIGHT }] },
      ],
    })
    expect(message?.text).toBeUndefined()
    await ended(body.id, 'sent')
    await postStatuses(statusOf(message!, 'delivered'))
    await ended(body.id, 'delivered')
    for (const { name } of await service.db<{ name: string }[]>`
      select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`) {
      const rows = await service.db.unsafe(`select row_to_json(${name})::text as text from ${name}`)
      expect(rows.filter((row) => (row as { text: string }).text.includes(RIGHT))).toEqual([])
    }
    expect(JSON.stringify(service.log_lines)).not.toContain(RIGHT)
    expect((await verify(by, body.id)).body).toMatchObject({ status: 4 })
  })
})

describe('limits', () => {
  test('a recipient gets at most one message in six seconds, from all processes', async () => {
    const recipient = await person()
    await send(recipient, 'one')
    await send(recipient, 'two')
    const other = await person()
    await send(other, 'three')
    // Calls are concurrent: the third may arrive before the first.
    await until('both people', () => [recipient, other].every((one) => meta.taken.some(({ to }) => to === one)))
    expect(meta.taken.filter(({ to }) => to === recipient)).toHaveLength(1)
    // As if the six seconds had passed.
    await service.db`update whatsapp_users set sent_datetime = now() - interval '6 seconds' where recipient = ${recipient}`
    await service.db`update jobs set run_at = now() where subject_key = ${recipient}`
    await taken(3)
    const [row] = await service.db<{ sent: number }[]>`
      select extract(epoch from now() - sent_datetime)::float8 as sent from whatsapp_users where recipient = ${recipient}`
    expect(row?.sent).toBeLessThan(5)
  })

  test('of several concurrent processes one may send to a recipient', async () => {
    const recipients = Array.from({ length: 5 }, () => String((next_number += 1)))
    const wanted = recipients.map((recipient) => ({ recipient, is_template: false, urgent: false }))
    const number = { name: 'meta', account: 'meta' }
    const delays = await Promise.all(Array.from({ length: 20 }, () => claimRecipients(service.db, number, wanted, 6)))
    for (const recipient of recipients) {
      const waits = delays.map((delay) => delay.get(recipient)?.wait_s ?? -1)
      expect(waits.filter((wait_s) => wait_s === 0)).toHaveLength(1)
      expect(waits.every((wait_s) => wait_s >= 0 && wait_s <= 6)).toBe(true)
    }
  })

  test.each([
    ['190: the token', { code: 190, status: 401 }, 'error', 'a carrier is paused: the operator has to act'],
    ['3: permissions', { code: 3, status: 500 }, 'error', 'a carrier is paused: the operator has to act'],
    ['33: number', { code: 33 }, 'error', 'a carrier is paused: the operator has to act'],
    ['131037: display name', { code: 131037 }, 'error', 'a carrier is paused: the operator has to act'],
    ['131045: registration', { code: 131045, status: 500 }, 'error', 'a carrier is paused: the operator has to act'],
    ['131048: spam', { code: 131048 }, 'error', 'a carrier is paused: the operator has to act'],
    ['80007: calls', { code: 80007 }, 'warn', 'a carrier is paused'],
  ])('%s pauses the number, and queued messages are sent when it is resumed', async (_, mood, level, sentence) => {
    service.log_lines.length = 0
    meta.mood = mood
    const id = await send(await person())
    await until(
      'the pause',
      async () => (await service.db`select 1 from carrier_pauses where until > now()`).length === 1,
    )
    expect(service.log_lines.filter((line) => line.sentence === sentence)).toMatchObject([
      { level, details: { carrier: 'meta' } },
    ])
    expect(await (await fetch(`${service.url}/metrics`)).text()).toContain('gangan_carrier_paused{carrier="meta"} 1')
    expect(await deliveryOf(id)).toMatchObject({ status: 'queued' })
    const calls = meta.calls.length
    meta.mood = 'take'
    await service.db`delete from carrier_pauses`
    await service.db`update whatsapp_users set sent_datetime = null`
    await ended(id, 'sent')
    expect(meta.calls.length).toBe(calls + 1)
    expect(await (await fetch(`${service.url}/metrics`)).text()).toContain('gangan_carrier_paused{carrier="meta"} 0')
  })
})

describe('the webhook', () => {
  const ask = (query: string, carrier = 'meta') => fetch(`${service.url}/carriers/whatsapp/${carrier}?${query}`)
  const right = 'hub.mode=subscribe&hub.verify_token=a%20word%20between%20us&hub.challenge=1158201444'

  test('echoes the challenge if the token is right', async () => {
    const answer = await ask(right)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('text/plain')
    expect(await answer.text()).toBe('1158201444')
  })

  test.each([
    ['a wrong token', right.replace('word', 'sword'), 403],
    ['no token', 'hub.mode=subscribe&hub.challenge=1', 403],
    ['an operator instead of a token', right.replace('hub.verify_token=', 'hub.verify_token[$ne]='), 403],
    ['two tokens', `${right}&hub.verify_token=a%20word%20between%20us`, 403],
    ['two challenges', `${right}&hub.challenge=2`, 403],
    ['another mode', right.replace('subscribe', 'unsubscribe'), 403],
    ['an endless challenge', right.replace('1158201444', '1'.repeat(201)), 403],
  ])('rejects %s', async (_, query, status) => {
    expect((await ask(query)).status).toBe(status)
  })

  test('responds with 404 for other carriers', async () => {
    expect((await ask(right, 'simulator')).status).toBe(404)
    expect(await postWebhook(service, '{}', sign('{}'), 'nobody')).toBe(404)
  })

  test('rejects bytes that are not signed with one of the secrets', async () => {
    const id = await send(await person())
    const [message] = await taken()
    const body = webhookBody([{ statuses: [statusOf(message!, 'delivered')] }])
    const right_signature = sign(body)
    for (const signature of [
      '',
      'sha256=',
      right_signature.slice(0, -1),
      right_signature.toUpperCase(),
      right_signature.replace('sha256', 'sha1'),
      sign(body, 'a guess'),
      sign(`${body} `),
    ]) {
      expect(await postWebhook(service, body, signature)).toBe(401)
    }
    expect(await postWebhook(service, `${body} `, right_signature)).toBe(401)
    expect((await service.db`select 1 from reports`).length).toBe(0)
    expect(await postWebhook(service, body, sign(body, 'the secret before'))).toBe(200)
    await ended(id, 'delivered')
  })

  test('accepts and skips entries that it cannot read', async () => {
    for (const body of ['', 'no JSON', '[]', '{"entry":[{"changes":[{"field":"messages","value":null}]}]}', 'null']) {
      expect(await postWebhook(service, body)).toBe(200)
    }
    const other = { ...NUMBER, phone_number_id: '1' }
    const body = webhookBody([{ messages: [inbound('wamid.other', '2348031234567', 'Hi')] }], other)
    expect(await postWebhook(service, body)).toBe(200)
    expect(
      (await service.db`select 1 from inbound_ids where received_id = encode(sha256('wamid.other'), 'hex')`).length,
    ).toBe(0)
  })

  test('duplicates in any order, with forged ones in between, lead to the right statuses', async () => {
    const plans = ['read', 'delivered', 'failed', 'sent'] as const
    const recipients = await Promise.all(Array.from({ length: 40 }, person))
    by = await service.organisation({ credit: 1_000 })
    const id = await send(recipients.join(','))
    const messages = await taken(recipients.length)
    const planOf = (message: Taken) => plans[messages.indexOf(message) % plans.length] ?? 'sent'
    const posts: (() => Promise<number>)[] = []
    const genuine = (status: object) => posts.push(() => postStatuses(status))
    for (const message of messages) {
      const plan = planOf(message)
      for (let copy = 0; copy < 3; copy += 1) {
        genuine(statusOf(message, 'sent', copy === 1 ? { timestamp: Date.now() } : {}))
        if (plan === 'delivered') genuine(statusOf(message, 'delivered'))
        if (plan === 'read') genuine(statusOf(message, 'read'))
        if (plan === 'failed') genuine(failure(message, 131026))
      }
      const forged = webhookBody([
        { statuses: [plan === 'failed' ? statusOf(message, 'read') : failure(message, 131026)] },
      ])
      posts.push(() => postWebhook(service, forged, sign(forged, 'a guess')))
    }
    posts.sort(() => Math.random() - 0.5)
    const answers: number[] = []
    for (let from = 0; from < posts.length; from += 40) {
      answers.push(...(await Promise.all(posts.slice(from, from + 40).map((post) => post()))))
    }
    expect(answers.filter((status) => status === 401)).toHaveLength(messages.length)
    expect(answers.filter((status) => status === 200)).toHaveLength(posts.length - messages.length)

    const expected = { read: 'delivered', delivered: 'delivered', failed: 'rejected', sent: 'sent' }
    const wanted = new Map(messages.map((message) => [message.to, expected[planOf(message)]]))
    type Listed = { recipient: string; status: string; refunded: boolean }[]
    const deliveries = await until('the end of all of them', async () => {
      const { body } = await by.call<{ deliveries: Listed }>('GET', `/sms/${id}`)
      const as_wanted = body.deliveries.every(({ recipient, status }) => wanted.get(recipient) === status)
      return as_wanted && body.deliveries
    })
    expect(deliveries.filter(({ refunded }) => refunded)).toHaveLength(10)
    await until('no report left', async () => (await service.db`select 1 from reports`).length === 0)
    expect(await balance(by)).toBe(1_000 - 30 * 6)
    expect(await auditMoney(service.db)).toEqual([])
  })
})

describe('an inbound message', () => {
  test('is received once, and opens the window', async () => {
    await by.call('POST', '/senders', { sender_id: NUMBER.display })
    await service.db`update senders set state = 'approved' where organisation_id = ${by.id} and sender_id = ${NUMBER.display}`
    const receiver = await startReceiver()
    await by.call('POST', '/webhooks', { url: receiver.url, events: ['text.received'] })
    const from = String((next_number += 1))
    const messages = [inbound('wamid.one', from, 'Hello'), inbound('wamid.two', from, 'again', Date.now())]
    const body = webhookBody([{ messages }, { messages: messages.slice(0, 1) }])
    expect(await Promise.all([postWebhook(service, body), postWebhook(service, body)])).toEqual([200, 200])
    const rows = await service.db<{ text: string; channel: string; organisation_id: string }[]>`
      select text, channel, organisation_id from inbound_messages where "from" = ${from} order by text`
    expect(rows.map(({ text, channel }) => `${channel} ${text}`)).toEqual(['whatsapp Hello', 'whatsapp again'])
    expect(new Set(rows.map(({ organisation_id }) => organisation_id))).toEqual(new Set([by.id]))
    const [user] = await service.db<{ age_s: number }[]>`
      select extract(epoch from now() - received_datetime)::float8 as age_s from whatsapp_users where recipient = ${from}`
    expect(user?.age_s).toBeLessThan(60)
    expect(user?.age_s).toBeGreaterThanOrEqual(0)
    const posts = await receiver.wait(2)
    expect(posts.map(({ json }) => json.type)).toEqual(['text.received', 'text.received'])
    expect(posts[0]?.json.data).toMatchObject({ from, to: NUMBER.display, channel: 'whatsapp' })
    await receiver.close()
  })
})
