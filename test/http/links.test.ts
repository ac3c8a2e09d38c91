import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { drawCodes } from '../../src/messaging/links/codes.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

type Link = { url: string; short_url: string; clicks: number; clicks_raw: number; clicked_datetime?: string }
type Delivery = {
  recipient: string
  text: string
  pages: number
  clicks: number
  clicks_raw: number
  clicked_datetime?: string
  links: Link[]
}
type Message = {
  id: string
  content: string
  deliveries: Delivery[]
  meta: { estimate: { charge: number; message_length: number; pages: number } }
}

const ADA = '2348031234567'
const BOLA = '2348051234567'
const SHORT = /https:\/\/gg\.ng\/l\/[2-9A-HJ-NP-Za-hjkmnp-z]{7}/g
const PHONE =
  'Mozilla/5.0 (Linux; Android 14; TECNO KJ5) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36'
const settings = { public_url: 'https://gg.ng' }

let service: TestService
let receiver: Receiver
beforeAll(async () => {
  service = await openService({ settings })
  receiver = await startReceiver()
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

async function send(body: object, by: Organisation = service): Promise<Message> {
  const { status, body: message } = await by.call<Message>('POST', '/sms/send', { is_trackable: true, ...body })
  expect(status).toBe(200)
  return message
}

const read = async (id: string, by: Organisation = service) => (await by.call<Message>('GET', `/sms/${id}`)).body

/** Opens a short link as a phone does, at this service instead of the public address. */
function open(short_url: string, headers: Record<string, string> = {}, at: TestService = service, method = 'GET') {
  return fetch(short_url.replace('https://gg.ng', at.url), {
    method,
    redirect: 'manual',
    headers: { 'user-agent': PHONE, ...headers },
  })
}

/** The only delivery of a message, once that many clicks are recorded. */
const clicked = (id: string, clicks_raw: number) =>
  until(`${clicks_raw} clicks`, async () => {
    const [delivery] = (await read(id)).deliveries
    return delivery && delivery.clicks_raw >= clicks_raw && delivery
  })

const callbacks = (id: string) =>
  receiver.received.filter(({ json }) => json.type === 'text.clicked' && json.data.id === id)

describe('the links of a trackable message', () => {
  test('become short ones, different for each recipient, which count for pages', async () => {
    const url = `https://example.com/${'x'.repeat(150)}`
    const message = await send({ recipients: [ADA, BOLA], content: `See ${url}, or http://example.com/b.` })
    expect(message.content).toBe(`See ${url}, or http://example.com/b.`)
    expect(message.meta.estimate).toMatchObject({ charge: 8, pages: 1, message_length: 4 + 23 + 5 + 23 + 1 })
    const { deliveries } = await read(message.id)
    const codes = deliveries.flatMap(({ text }) => text.match(SHORT) ?? [])
    expect(new Set(codes).size).toBe(4)
    for (const { text, links } of deliveries) {
      const [first, second] = text.match(SHORT) ?? []
      expect(text).toBe(`See ${first}, or ${second}.`)
      expect(links).toEqual([
        { url, short_url: first, clicks: 0, clicks_raw: 0 },
        { url: 'http://example.com/b', short_url: second, clicks: 0, clicks_raw: 0 },
      ])
    }
    const shown = await until('the handset', async () => {
      const { body } = await service.call<{ messages: { text: string }[] }>(
        'GET',
        `/sandbox/messages?recipient=${BOLA}`,
      )
      return body.messages.find(({ text }) => text === deliveries[1]?.text)
    })
    expect(shown.text).toMatch(SHORT)
  })

  test('are the same if an address occurs twice', async () => {
    const { id } = await send({ recipients: ADA, content: 'https://example.com/a https://example.com/a' })
    const [delivery] = (await read(id)).deliveries
    expect(new Set(delivery?.text.match(SHORT)).size).toBe(1)
    expect(delivery?.links).toHaveLength(1)
  })

  test('may come from template values', async () => {
    const content = 'Hi {{name}}: https://example.com/{{order}}'
    const { body } = await service.call<{ id: string }>('POST', '/templates', { name: 'x', content })
    const personalisation = [
      { to: ADA, substitutions: { name: 'Ada', order: '1' } },
      { to: BOLA, substitutions: { name: 'Bola', order: '2' } },
    ]
    const { id } = await send({ recipients: [ADA, BOLA], template_id: body.id, personalisation })
    const { deliveries } = await read(id)
    expect(deliveries.map(({ links }) => links[0]?.url)).toEqual(['https://example.com/1', 'https://example.com/2'])
    expect(deliveries[0]?.text).toBe(`Hi Ada: ${deliveries[0]?.links[0]?.short_url}`)
  })

  test('may not contain a NUL character', async () => {
    const body = { recipients: ADA, content: 'See https://example.com/a\u0000b', is_trackable: true }
    const answer = await service.call('POST', '/sms/send', body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject([{ field: 'content', type: 'invalid' }])
  })

  test.each(['\ud800', 'a\udc00b', '🎉\ud83c'])(
    'a text with half of a surrogate pair (%j) is rejected',
    async (content) => {
      const answer = await service.call('POST', '/sms/send', { recipients: ADA, content, external_ref: content })
      expect(answer.status).toBe(400)
      expect(answer.body.errors).toMatchObject([
        { field: 'external_ref', type: 'invalid' },
        { field: 'content', type: 'invalid' },
      ])
    },
  )

  test('stay unchanged without is_trackable', async () => {
    const { id } = await send({ recipients: ADA, content: 'https://example.com/a', is_trackable: false })
    const { content, deliveries } = await read(id)
    expect(content).toBe('https://example.com/a')
    for (const key of ['text', 'links', 'clicks', 'clicks_raw']) expect(deliveries[0]).not.toHaveProperty(key)
  })

  test('a trackable message without links is unchanged, and has no clicks', async () => {
    const { id } = await send({ recipients: ADA, content: 'Hello' })
    expect((await read(id)).deliveries).toMatchObject([{ clicks: 0, clicks_raw: 0, links: [] }])
    expect((await read(id)).deliveries[0]).not.toHaveProperty('text')
  })

  // On a cluster they are not colocated with their organisation: they are stored before the charge, and a link without
  // a message returns 404.
  test.skipIf(inject('cluster'))('are stored together with the charge', async () => {
    const by = await service.organisation({ credit: 5 })
    const body = { recipients: [ADA, BOLA], content: 'https://example.com', is_trackable: true }
    expect((await by.call('POST', '/sms/send', body)).status).toBe(402)
    const [row] = await service.db`select count(*)::integer as count from links where organisation_id = ${by.id}`
    expect(row?.count).toBe(0)
    const alone = { ...body, recipients: ADA }
    const both = await Promise.all([by.call('POST', '/sms/send', alone), by.call('POST', '/sms/send', alone)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 402])
    const [after] = await service.db`select count(*)::integer as count from links where organisation_id = ${by.id}`
    expect(after?.count).toBe(1)
  })

  test('are the same if the request is repeated', async () => {
    const body = { recipients: ADA, content: 'https://example.com', is_trackable: true }
    const first = await service.call<Message>('POST', '/sms/send', body, { 'idempotency-key': 'links' })
    const again = await service.call<Message>('POST', '/sms/send', body, { 'idempotency-key': 'links' })
    expect(again.text).toBe(first.text)
    const [row] = await service.db`select count(*)::integer as count from links where message_id = ${first.body.id}`
    expect(row?.count).toBe(1)
  })
})

describe('opening a short link', () => {
  test('redirects, and is not cached', async () => {
    const { id } = await send({ recipients: ADA, content: 'https://example.com/a?b=c#d' })
    const short_url = (await read(id)).deliveries[0]?.links[0]?.short_url ?? ''
    for (const _ of [1, 2]) {
      const answer = await open(short_url)
      expect(answer.status).toBe(302)
      expect(answer.headers.get('location')).toBe('https://example.com/a?b=c#d')
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(await answer.text()).toBe('')
    }
    const delivery = await clicked(id, 2)
    expect(delivery).toMatchObject({ clicks: 2, clicks_raw: 2, links: [{ clicks: 2, clicks_raw: 2 }] })
    expect(delivery.clicked_datetime).toMatch(/\+00:00$/)
  })

  test('is shown as clicked with its clicks, also while they are being stored', async () => {
    const { id } = await send({ recipients: ADA, content: 'https://example.com/a https://example.com/b' })
    // The links are read after a click was stored, and the delivery before.
    await service.db`
      update links set clicks = 1, clicks_raw = 1, clicked_datetime = '2026-11-15 12:00:00+00' where message_id = ${id}`
    expect((await read(id)).deliveries).toMatchObject([
      { clicks: 2, clicked_datetime: '2026-11-15T12:00:00.000000+00:00' },
    ])
  })

  test.each(['2222222', 'short', 'toolong99', '0000000', 'abc%00def', '..%2F..%2Fx'])(
    'responds with 404 for %s',
    async (code) => {
      const answer = await fetch(`${service.url}/l/${code}`, { redirect: 'manual' })
      expect(answer.status).toBe(404)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await answer.text()).toContain('This link leads nowhere')
    },
  )

  test('responds with 405 to anything but GET and HEAD', async () => {
    expect((await open('https://gg.ng/l/2222222', {}, service, 'POST')).status).toBe(405)
  })

  test('counts people and previews separately, and ignores HEAD', async () => {
    const { id } = await send({ recipients: ADA, content: 'https://example.com', callback: receiver.url })
    const short_url = (await read(id)).deliveries[0]?.links[0]?.short_url ?? ''
    const head = await open(short_url, {}, service, 'HEAD')
    expect([head.status, head.headers.get('location')]).toEqual([302, 'https://example.com/'])
    await open(short_url, { 'user-agent': 'WhatsApp/2.24.13.77 A' })
    await open(short_url, { 'user-agent': 'facebookexternalhit/1.1' })
    await open(short_url, { 'user-agent': 'Mozilla/5.0 (compatible; Google-Messages-Preview)' })
    await open(short_url, { 'sec-purpose': 'prefetch;prerender' })
    const previewed = await clicked(id, 4)
    expect(previewed).toMatchObject({ clicks: 0, clicks_raw: 4 })
    expect(previewed).not.toHaveProperty('clicked_datetime')
    await open(short_url)
    expect(await clicked(id, 5)).toMatchObject({ clicks: 1, clicks_raw: 5 })
    const [callback] = await until('the callback', () => {
      const found = callbacks(id)
      return found.length > 0 && found
    })
    expect(callback?.json.data).toMatchObject({ id, recipient: ADA, url: 'https://example.com/' })
  })
})

describe('the first click of a person', () => {
  test('is reported once per recipient, for all links, concurrent clicks and processes', async () => {
    const beside = await openService({ settings, beside: service })
    const message = await send({
      recipients: [ADA, BOLA],
      content: 'https://example.com/a https://example.com/b',
      external_ref: 'ref 7',
      callback: `${receiver.url}/clicks`,
    })
    const { deliveries } = await read(message.id)
    const links = deliveries.flatMap((delivery) => delivery.links.map(({ short_url }) => short_url))
    const visits = Array.from({ length: 80 }, (_, n) =>
      open(links[n % links.length] ?? '', {}, n % 3 ? service : beside),
    )
    await Promise.all(visits)
    await beside.close()
    const after = await until('all clicks', async () => {
      const now = (await read(message.id)).deliveries
      return now.every(({ clicks }) => clicks === 40) && now
    })
    expect(after.map((delivery) => delivery.links.map(({ clicks }) => clicks))).toEqual([
      [20, 20],
      [20, 20],
    ])
    await until('two callbacks', () => callbacks(message.id).length >= 2)
    await open(links[0] ?? '')
    await until('one more click', async () => (await read(message.id)).deliveries[0]?.clicks === 41)
    const events = callbacks(message.id).map(({ json }) => json)
    expect(events.map(({ data }) => data.recipient).sort()).toEqual([ADA, BOLA])
    expect(events[0]).toMatchObject({
      type: 'text.clicked',
      data: {
        id: message.id,
        status: expect.any(String),
        channel: 'sms',
        sender_id: 'Gangan',
        external_ref: 'ref 7',
        url: expect.stringMatching(/^https:\/\/example\.com\/[ab]$/),
        clicked_datetime: expect.stringMatching(/\+00:00$/),
      },
    })
    const [row] = await service.db<{ count: number }[]>`
      select count(*)::integer as count from callbacks where subject_id = ${message.id} and type = 'text.clicked'`
    expect(row?.count).toBe(2)
  })

  test('is stored later if the database is unreachable', async () => {
    const { id } = await send({ recipients: ADA, content: 'https://example.com', callback: `${receiver.url}/late` })
    const short_url = (await read(id)).deliveries[0]?.links[0]?.short_url ?? ''
    await open(short_url, {}, service, 'HEAD') // From now on the link is cached.
    await service.db`alter table links rename to links_away`
    const failed = () => service.log_lines.some(({ sentence }) => sentence.startsWith('clicks could not be written'))
    try {
      for (const _ of [1, 2, 3]) expect((await open(short_url)).status).toBe(302)
      await until('a write to fail', failed)
    } finally {
      await service.db`alter table links_away rename to links`
    }
    expect(await clicked(id, 3)).toMatchObject({ clicks: 3, clicks_raw: 3 })
    await until('the callback', () => callbacks(id).length === 1)
  })

  test('is not lost when the process is stopped', async () => {
    const { id } = await send({ recipients: ADA, content: 'https://example.com', callback: `${receiver.url}/stop` })
    const short_url = (await read(id)).deliveries[0]?.links[0]?.short_url ?? ''
    const leaving = await openService({ settings, beside: service })
    expect((await open(short_url, {}, leaving)).status).toBe(302)
    await leaving.close()
    expect((await read(id)).deliveries[0]).toMatchObject({ clicks: 1, clicked_datetime: expect.any(String) })
    await until('the callback', () => callbacks(id).length === 1)
  })
})

test("another organisation's message does not show its clicks", async () => {
  const { id } = await send({ recipients: ADA, content: 'https://example.com' })
  const other = await service.organisation()
  expect((await other.call('GET', `/sms/${id}`)).status).toBe(404)
})

test('every one of many has a different code', async () => {
  const recipients = Array.from({ length: 2_000 }, (_, n) => `234803${String(n).padStart(7, '0')}`)
  const by = await service.organisation({ credit: 100_000 })
  const { id } = await send({ recipients, content: 'https://example.com' }, by)
  const { deliveries } = await read(id, by)
  expect(new Set(deliveries.map(({ text }) => text)).size).toBe(2_000)
})

test('a code that exists, or is generated twice, is generated again', async () => {
  const { id } = await send({ recipients: ADA, content: 'https://example.com' })
  const taken = (await read(id)).deliveries[0]?.links[0]?.short_url.slice(-7) ?? ''
  const drawn = [taken, 'abcdefg', 'abcdefg', 'hjkmnpq', 'never']
  expect(await drawCodes(service, 2, () => drawn.shift() ?? '')).toEqual(['abcdefg', 'hjkmnpq'])
})
