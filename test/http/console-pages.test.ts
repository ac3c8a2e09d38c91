import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { person, type Person } from '../support/person.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

let service: TestService
let other: Organisation
let ada: Person
let operator: Person

beforeAll(async () => {
  service = await openService()
  other = await service.organisation()
  ada = await person(service, service.id)
  operator = await person(service, null)
})
afterAll(() => service.close())

const faults = (body: unknown) => (body as { errors?: { field: string; type: string }[] }).errors

type Found = {
  messages: {
    id: string
    recipients: string[]
    recipients_total: number
    statuses: Record<string, number>
    match?: { recipient: string; status: string }
    send_at?: string
  }[]
  meta: { next_page: string; query_id?: string; searched_until?: string }
}

type Story = { events: { kind: string; send_at?: string }[] }

async function send(body: object): Promise<string> {
  const sent = await service.call<{ id: string }>('POST', '/sms/send', { content: 'Hello', ...body })
  expect(sent.status).toBe(200)
  return sent.body.id
}

const search = async (query: string) => (await ada.call<Found>('GET', `/console/api/messages?${query}`)).body

async function ended(id: string): Promise<void> {
  await until('all deliveries to end', async () => {
    const { body } = await service.call<{ deliveries: { status: string }[] }>('GET', `/sms/${id}`)
    return body.deliveries.every(({ status }) => !['queued', 'sent'].includes(status))
  })
}

describe('messages', () => {
  let bulk: string
  let refused: string
  let single: string

  beforeAll(async () => {
    single = await send({ recipients: '08031112222', external_ref: 'order-1' })
    bulk = await send({ recipients: '08031112222, 08031112223, 08031112224, 2348000000001', external_ref: 'order-2' })
    refused = await send({ recipients: '2348000000003' })
    await other.call('POST', '/sms/send', { recipients: '08031112222', content: 'not yours' })
    await Promise.all([single, bulk, refused].map(ended))
  })

  test('are listed newest first with the statuses of their deliveries', async () => {
    const { messages, meta } = await search('')
    expect(messages.map(({ id }) => id)).toEqual([refused, bulk, single])
    expect(messages[1]).toMatchObject({
      recipients: ['2348031112222', '2348031112223', '2348031112224'],
      recipients_total: 4,
      statuses: { delivered: 3, undelivered: 1 },
      charge: 16,
      external_ref: 'order-2',
    })
    expect(meta.next_page).toBe('False')
  })

  test('are found by number, reference, status and time, and by combinations', async () => {
    const ids = async (query: string) => (await search(query)).messages.map(({ id }) => id)
    expect(await ids('recipient=08031112222')).toEqual([bulk, single])
    expect((await search('recipient=%2B2348031112222')).messages[0]?.match).toMatchObject({ status: 'delivered' })
    expect(await ids('external_ref=order-1')).toEqual([single])
    expect(await ids('status=rejected')).toEqual([refused])
    expect(await ids('status=delivered')).toEqual([bulk, single])
    expect(await ids('recipient=2348000000001&status=delivered')).toEqual([])
    expect(await ids('recipient=2348000000001&status=undelivered')).toEqual([bulk])
    expect(await ids('external_ref=order-2&status=undelivered')).toEqual([bulk])
    expect(await ids('external_ref=order-2&recipient=08039999999')).toEqual([])
    expect(await ids('recipient=08039999999')).toEqual([])
    expect(await ids(`from=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([])
    expect(await ids(`until=${new Date(Date.now() - 3_600_000).toISOString()}&recipient=08031112222`)).toEqual([])
    expect(await ids(`from=${new Date(Date.now() - 600_000).toISOString()}&recipient=08031112222`)).toHaveLength(2)
  })

  test('are found by a part of the reference in any case, or by the number', async () => {
    const ids = async (query: string) => (await search(query)).messages.map(({ id }) => id)
    expect(await ids('text=RDER')).toEqual([bulk, single])
    expect(await ids('text=order-1')).toEqual([single])
    expect(await ids('text=order&status=undelivered')).toEqual([bulk])
    expect(await ids('text=order&status=queued')).toEqual([])
    expect(await ids('text=0803 111 2222')).toEqual([bulk, single])
    const digits = await send({ recipients: '08031119999', external_ref: 'paid 08031112222' })
    expect(await ids('text=08031112222')).toEqual([digits, bulk, single])
    expect(await ids('text=%25')).toEqual([])
    expect(await ids('text=_rder')).toEqual([])
    await ended(digits)
    const both = await ada.call('GET', '/console/api/messages?text=a&external_ref=b')
    expect([both.status, faults(both.body)]).toMatchObject([400, [{ field: 'text', type: 'invalid' }]])
    await service.db`delete from deliveries where message_id = ${digits}`
    await service.db`delete from messages where id = ${digits}`
  })

  test('show refunds, and when scheduled messages are due', async () => {
    const send_at = new Date(Date.now() + 3_600_000).toISOString()
    const later = await send({ recipients: '08031112225, 08031112226', external_ref: 'later', send_at })
    const shown = async () => (await search('text=later')).messages[0]
    expect(await shown()).toMatchObject({ statuses: { scheduled: 2 }, charge: 8 })
    expect(Date.parse((await shown())?.send_at ?? '')).toBe(Date.parse(send_at))
    const story = await ada.call<Story>('GET', `/console/api/messages/${later}/timeline?recipient=2348031112225`)
    expect(story.body.events.map(({ kind }) => kind)).toEqual(['accepted', 'scheduled'])
    expect(Date.parse(story.body.events[1]?.send_at ?? '')).toBe(Date.parse(send_at))
    expect((await service.call('DELETE', `/sms/${later}`)).status).toBe(204)
    expect(await shown()).toMatchObject({ statuses: { canceled: 2 }, charge: 8, refunded: 8 })
    expect(await shown()).not.toHaveProperty('send_at')
    const { body } = await ada.call<{ message: object }>('GET', `/console/api/messages/${later}`)
    expect(body.message).toMatchObject({ charge: 8, refunded: 8 })
    await service.db`delete from deliveries where message_id = ${later}`
    await service.db`delete from messages where id = ${later}`
  })

  test('are paged by query_id, each exactly once', async () => {
    for (const query of ['', 'recipient=08031112222', 'status=delivered', 'text=order']) {
      const all = (await search(query)).messages.map(({ id }) => id)
      const seen: string[] = []
      let query_id = ''
      do {
        const { messages, meta } = await search(`${query}&limit=1${query_id && `&query_id=${query_id}`}`)
        seen.push(...messages.map(({ id }) => id))
        query_id = meta.next_page === 'True' ? (meta.query_id ?? '') : ''
      } while (query_id !== '')
      expect(seen).toEqual(all)
    }
  })

  test('that are old are found too, by searching ever longer periods', async () => {
    const old = '00000000-0001-7000-8000-000000000001'
    await service.db`insert into messages
      (organisation_id, id, channel, content, is_trackable, encoding, message_length, pages, charge)
      values (${service.id}, ${old}, 'sms', 'ancient', false, 'GSM', 7, 1, 0)`
    await service.db`insert into deliveries (organisation_id, message_id, recipient, position, status, pages, charge, route)
      values (${service.id}, ${old}, '2348031112222', 0, 'delivered', 1, 0, 'sms')`
    const { messages, meta } = await search('recipient=08031112222')
    expect(messages.map(({ id }) => id)).toEqual([bulk, single, old])
    expect(meta).toMatchObject({ next_page: 'False' })
    await service.db`delete from deliveries where message_id = ${old}`
    await service.db`delete from messages where id = ${old}`
  })

  test('are rejected with all errors of the query parameters', async () => {
    const bad = 'recipient=nobody&status=lost&from=soon&query_id=x&limit=0'
    const { status, body } = await ada.call('GET', `/console/api/messages?${bad}`)
    expect(status).toBe(400)
    expect(
      faults(body)
        ?.map(({ field, type }) => `${field} ${type}`)
        .sort(),
    ).toEqual([
      'from date_invalid',
      'limit greater_than_equal',
      'query_id invalid',
      'recipient phone_invalid',
      'status enum',
    ])
  })

  test.each(['messages', 'messages.csv', 'otps'])('a repeated query parameter is rejected: %s', async (list) => {
    const answer = await ada.call('GET', `/console/api/${list}?recipient=08031234567&recipient=08051234567`)
    expect(answer.status).toBe(400)
    expect(faults(answer.body)).toMatchObject([{ field: 'recipient', type: 'string_type' }])
  })

  test('are shown with their deliveries, page by page', async () => {
    type Shown = { message: object; deliveries: { recipient: string }[]; meta: { pagination: object } }
    const page = await ada.call<Shown>('GET', `/console/api/messages/${bulk}?limit=3&page=2`)
    expect(page.body.message).toMatchObject({ id: bulk, recipients_total: 4, content: 'Hello' })
    expect(page.body.deliveries).toMatchObject([
      { recipient: '2348000000001', status: 'undelivered', route: 'sms', code: '004' },
    ])
    expect(page.body.meta.pagination).toMatchObject({ count_total: 4, page_total: 2, next_page: 'False' })
    const some = await ada.call<Shown>('GET', `/console/api/messages/${bulk}?status=undelivered`)
    expect(some.body.deliveries).toHaveLength(1)
    expect((await ada.call('GET', '/console/api/messages/nonsense')).status).toBe(404)
    const theirs = (await other.call<{ messages: { id: string }[] }>('GET', '/sms')).body.messages[0]?.id
    expect((await ada.call('GET', `/console/api/messages/${theirs}`)).status).toBe(404)
    expect((await ada.call('GET', `/console/api/messages/${theirs}/timeline?recipient=2348031112222`)).status).toBe(404)
    for (const path of [`${bulk}?recipient=%00`, `${bulk}/timeline?recipient=%00`]) {
      expect((await ada.call('GET', `/console/api/messages/${path}`)).body).toMatchObject({
        status: 400,
        errors: [{ field: 'recipient', type: 'invalid' }],
      })
    }
  })

  test('have a timeline per recipient, including callbacks and their responses', async () => {
    const receiver = await startReceiver()
    receiver.answer = () => 202
    const id = await send({ recipients: '08031112222, 2348000000003', callback: receiver.url })
    await receiver.wait(2)
    type Timeline = { events: { kind: string; created_datetime: string; callback?: object }[]; text: string }
    const read = (recipient: string) =>
      ada.call<Timeline>('GET', `/console/api/messages/${id}/timeline?recipient=${recipient}`)
    const { body } = await until('the attempt to be recorded', async () => {
      const answer = await read('2348031112222')
      return JSON.stringify(answer.body).includes('"status_code":202') && answer
    })
    expect(body.text).toBe('Hello')
    expect(body.events).toMatchObject([
      { kind: 'accepted', charge: 4 },
      { kind: 'sent' },
      { kind: 'ended', status: 'delivered', code: '000' },
      {
        kind: 'callback',
        callback: { type: 'text.delivered', url: receiver.url, attempts_log: [{ status_code: 202 }] },
      },
    ])
    const times = body.events.slice(0, 3).map(({ created_datetime }) => created_datetime)
    expect(times).toEqual([...times].sort())
    // A role without access to callbacks sees the status of the message, but no callback addresses.
    const marketer = await person(service, service.id, service.id, 'marketer')
    const theirs = await marketer.call<Timeline>('GET', `/console/api/messages/${id}/timeline?recipient=2348031112222`)
    expect(theirs.body.events.map(({ kind }) => kind)).toEqual(['accepted', 'sent', 'ended'])
    expect(theirs.text).not.toContain(receiver.url)
    const rejected = await read('2348000000003')
    expect(rejected.body.events.map(({ kind }) => kind)).toEqual(['accepted', 'ended', 'refunded', 'callback'])
    expect((await read('2348039999999')).status).toBe(404)
    await receiver.close()
  })

  test('show how often the links of each recipient were opened, and by which clients', async () => {
    const id = await send({
      recipients: '08031112222, 08031112223',
      content: 'https://example.com/a or https://example.com/b',
      is_trackable: true,
    })
    type Link = { url: string; short_url: string; clicks: number; clicks_raw: number }
    type Timeline = { links?: Link[]; events: { kind: string; url?: string; clicks?: number }[] }
    const story = async (of: string, recipient: string) =>
      (await ada.call<Timeline>('GET', `/console/api/messages/${of}/timeline?recipient=${recipient}`)).body
    const before = await story(id, '2348031112222')
    expect(before.links).toMatchObject([
      { url: 'https://example.com/a', clicks: 0, clicks_raw: 0 },
      { url: 'https://example.com/b', clicks: 0, clicks_raw: 0 },
    ])
    expect(before.events.map(({ kind }) => kind)).not.toContain('click')

    const path = new URL(before.links?.[1]?.short_url ?? '').pathname
    const phone = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0.0.0 Mobile Safari/537.36'
    for (const agent of [phone, 'WhatsApp/2.23.20.0']) {
      const answer = await fetch(service.url + path, { redirect: 'manual', headers: { 'user-agent': agent } })
      expect(answer.headers.get('location')).toBe('https://example.com/b')
    }
    const after = await until('both clicks', async () => {
      const timeline = await story(id, '2348031112222')
      return timeline.links?.[1]?.clicks_raw === 2 && timeline
    })
    expect(after.links).toMatchObject([{ clicks: 0 }, { clicks: 1, clicks_raw: 2 }])
    expect(after.events).toContainEqual(
      expect.objectContaining({ kind: 'click', url: 'https://example.com/b', clicks: 1 }),
    )
    const shown = await ada.call<{ deliveries: object[] }>('GET', `/console/api/messages/${id}`)
    expect(shown.body.deliveries).toMatchObject([
      { recipient: '2348031112222', clicks: 1, clicks_raw: 2 },
      { recipient: '2348031112223', clicks: 0, clicks_raw: 0 },
    ])
    expect(await story(single, '2348031112222')).not.toHaveProperty('links')
    const untracked = await ada.call<{ deliveries: object[] }>('GET', `/console/api/messages/${single}`)
    expect(untracked.body.deliveries[0]).not.toHaveProperty('clicks')
  })

  test('are exported as CSV, a line per delivery', async () => {
    const link = `/console/api/messages.csv?external_ref=order-2&organisation_id=${service.id}`
    const { text, headers } = await ada.call('GET', link, undefined, { 'x-organisation-id': undefined })
    expect(headers.get('content-type')).toContain('text/csv')
    const lines = text.trim().split('\r\n')
    expect(lines).toHaveLength(5)
    expect(lines[4]).toContain(`${bulk},`)
    expect(lines[4]).toContain(',2348000000001,undelivered,004,')
    const one = await ada.call('GET', '/console/api/messages.csv?status=rejected&recipient=2348000000003')
    expect(one.text.trim().split('\r\n').length).toBeGreaterThan(1)
    expect(one.text).not.toContain('delivered,000')
  })
})

test('the overview counts all refunds', async () => {
  const own = await service.organisation({ credit: 1_000 })
  const bisi = await person(service, own.id)
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  const later = { recipients: '08031113335, 08031113336', content: 'x', send_at }
  const { body } = await own.call<{ id: string }>('POST', '/sms/send', later)
  expect((await own.call('DELETE', `/sms/${body.id}`)).status).toBe(204)
  await own.call('POST', '/airtime/buy', { network: 'MTN', amount: 100, recipient: '2348000000011' })
  const totals = await until('all refunds', async () => {
    const answer = await bisi.call<{ totals: Record<string, number> }>('GET', '/console/api/overview?range=hour')
    return answer.body.totals.refunds === 108 && answer.body.totals
  })
  expect(totals).toMatchObject({ spend: 108, accepted: 2 })
})

test('the overview counts events in the process that handled them', async () => {
  const own = await service.organisation({ credit: 1_000 })
  const bisi = await person(service, own.id)
  const { body } = await own.call<{ id: string }>('POST', '/otp/request_token', {
    recipient: '08031113333',
    token: '4711',
  })
  await own.call('POST', '/otp/verify', { id: body.id, token: '4711' })
  await own.call('POST', '/otp/request_token', { recipient: '08031113334' })
  await own.call('POST', '/sms/send', { recipients: '08031113335, 2348000000003', content: 'x' })
  type Overview = {
    balance: number
    now: { messages_per_minute: number; queue_depth: number }
    totals: Record<string, number>
    series: { time: number[]; accepted: number[] } & Record<string, number[]>
    carriers?: object[]
  }
  const path = '/console/api/overview?range='
  const read = (range: string) => bisi.call<Overview>('GET', `${path}${range}`)
  const hour = await until('the counters to be stored', async () => {
    const { totals, ...rest } = (await read('hour')).body
    return totals.accepted === 4 && totals.delivered === 3 && totals.rejected === 1 && { totals, ...rest }
  })
  expect(hour.totals).toMatchObject({ otp_sent: 2, otp_verified: 1, otp_conversion: 0.5, spend: 16, refunds: 4 })
  expect(hour.totals.delivery_rate).toBe(0.75)
  expect(hour.balance).toBe(988)
  expect(hour.now.queue_depth).toBe(0)
  expect(hour.now.messages_per_minute).toBeGreaterThan(0) // Four, unless a minute has just ended.
  expect(hour.carriers).toBeUndefined()
  const seen = await operator.call<Overview>('GET', `${path}hour`, undefined, { 'x-organisation-id': own.id })
  expect(seen.body.carriers).toMatchObject([{ name: 'simulator', kind: 'simulator', state: 'up' }])
  for (const [range, points] of [
    ['hour', 60],
    ['day', 96],
    ['month', 120],
  ] as const) {
    const { series } = (await read(range)).body
    expect(series.time).toHaveLength(points)
    expect(Object.values(series).every((column) => column.length === points)).toBe(true)
    expect(series.accepted.reduce((sum, n) => sum + n, 0)).toBe(4)
  }
  expect((await bisi.call('GET', '/console/api/overview?range=year')).status).toBe(400)
  const checklist = await bisi.call('GET', '/console/api/checklist')
  expect(checklist.body).toMatchObject({
    first_message: true,
    first_delivery: true,
    first_otp: true,
    first_contact: false,
  })
})

test('OTPs are listed, of all numbers or one, in all statuses or one', async () => {
  const own = await service.organisation()
  const bisi = await person(service, own.id)
  for (const recipient of ['08031114444', '08031114444', '08031115555']) {
    await own.call('POST', '/otp/request_token', { recipient })
  }
  type Otps = { otps: { id: string; recipient: string; status_desc: string; attempts: number }[]; meta: object }
  const list = async (query: string) => (await bisi.call<Otps>('GET', `/console/api/otps?${query}`)).body
  const all = await list('')
  expect(all.otps.map(({ recipient }) => recipient)).toEqual(['2348031115555', '2348031114444', '2348031114444'])
  expect(all.otps[0]).toMatchObject({ status_desc: 'SENT', attempts: 0 })
  expect((await list('recipient=08031114444')).otps).toHaveLength(2)
  await own.call('DELETE', `/otp/${all.otps[0]?.id}`)
  await service.db`update otps set expires_datetime = now() where id = ${all.otps[1]?.id}`
  expect((await list('status=5')).otps).toMatchObject([{ id: all.otps[0]?.id }])
  expect((await list('status=2')).otps).toMatchObject([{ id: all.otps[1]?.id, status_desc: 'EXPIRED' }])
  expect((await list('status=1')).otps).toHaveLength(1)
  expect((await bisi.call('GET', '/console/api/otps?recipient=x&status=9')).status).toBe(400)
})

describe('an operator', () => {
  test('sees carriers, routes and prices, and no secret', async () => {
    const { body } = await operator.call('GET', '/console/api/carriers')
    expect(body).toMatchObject({
      carriers: [{ name: 'simulator', state: 'up' }],
      routes: [{ name: 'sms', carrier: 'simulator' }, { name: 'whatsapp' }],
      prices: expect.arrayContaining([{ channel: 'sms', prefix: '234', price: 4 }]),
      vendors: [{ name: 'simulator', kind: 'simulator' }],
    })
  })

  test('decides on senders, with a reason, which is recorded', async () => {
    const asked = await other.call<{ id: string }>('POST', '/senders', { sender_id: 'Shop' })
    expect(asked.status).toBe(200)
    const waiting = await operator.call('GET', '/console/api/senders?state=pending')
    expect(waiting.body).toMatchObject({
      senders: [{ id: asked.body.id, organisation_id: other.id, sender_id: 'Shop' }],
    })
    const decide = (id: string, body: object) => operator.call('POST', `/console/api/senders/${id}`, body)
    const decision = { organisation_id: other.id, state: 'rejected', reason: 'not registered' }
    expect((await decide(asked.body.id, decision)).body).toMatchObject({ sender: { state: 'rejected' } })
    expect((await decide('nonsense', decision)).status).toBe(404)
    expect((await decide(asked.body.id, { ...decision, organisation_id: service.id })).status).toBe(404)
    expect((await decide(asked.body.id, { state: 'pending' })).status).toBe(400)
    expect((await ada.call('GET', '/console/api/senders')).status).toBe(403)
    const audit = await operator.call('GET', '/console/api/audit', undefined, { 'x-organisation-id': other.id })
    expect(audit.text).toContain('sender.decide')
  })

  test('sees the guarded prefixes of all organisations', async () => {
    await service.db`insert into otp_guard (organisation_id, prefix, state, sent, verified, until_datetime)
      values (${other.id}, '234803', 'blocked', 60, 1, now() + interval '1 hour')`
    const { body } = await operator.call('GET', '/console/api/otp-guard')
    expect(body).toMatchObject({
      prefixes: [{ organisation_id: other.id, organisation_name: 'Tests', prefix: '234803' }],
    })
    const lift = await operator.call('DELETE', '/otp/guard/234803', undefined, { 'x-organisation-id': other.id })
    expect(lift.status).toBe(204)
  })

  test('settles purchases in review, once, which is recorded', async () => {
    const bought = await other.call<{ id: string }>('POST', '/airtime/buy', {
      network: 'MTN',
      amount: 100,
      recipient: '2348000000017',
    })
    const { id } = bought.body
    await until('the vendor to have been queried', async () => {
      const { body } = await other.call('GET', `/airtime/${id}`)
      return body.status === 'sent'
    })
    await service.db`update purchases set review_datetime = now() where id = ${id}`
    const list = await operator.call('GET', '/console/api/airtime/review')
    expect(list.body).toMatchObject({
      purchases: [{ id, organisation_id: other.id, amount: 100, vendor: 'simulator' }],
    })
    const settle = () => operator.call('POST', `/console/api/airtime/review/${id}`, { status: 'failed' })
    const raced = await Promise.all([settle(), settle()])
    expect(raced.map(({ status }) => status).sort()).toEqual([200, 404])
    expect(raced.find(({ status }) => status === 200)?.body).toMatchObject({ id, status: 'failed', refunded: true })
    const audit = await operator.call('GET', '/console/api/audit', undefined, { 'x-organisation-id': other.id })
    expect(audit.text.match(/airtime\.settle/g)).toHaveLength(1)
    expect((await operator.call('POST', '/console/api/airtime/review/x', { status: 'maybe' })).status).toBe(400)
  })
})
