import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { person } from '../support/person.ts'
import { unpackAll } from '../support/unpack.ts'

type Delivery = { recipient: string; status: string; charge: number; created_datetime: string; refunded: boolean }
type Message = { id: string; recipients: string[]; created_datetime: string; deliveries: Delivery[] }

let service: TestService

beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

const numbers = (count: number, prefix = '234803') =>
  Array.from({ length: count }, (_, n) => prefix + String(n).padStart(7, '0'))

const send = (by: Organisation, body: object, headers?: Record<string, string>) =>
  by.call<Message & { meta: { estimate: object } }>('POST', '/sms/send', { content: 'Hello', ...body }, headers)

const read = async (by: Organisation, id: string) => (await by.call<Message>('GET', `/sms/${id}`)).body

async function rowsOf(by: Organisation) {
  const [row] = await service.db<{ packs: number; packed: number; deliveries: number; jobs: number }[]>`
    select
      (select count(*)::integer from packs where organisation_id = ${by.id}) as packs,
      (select coalesce(sum(size), 0)::integer from packs where organisation_id = ${by.id}) as packed,
      (select count(*)::integer from deliveries where organisation_id = ${by.id}) as deliveries,
      (select count(*)::integer from jobs where organisation_id = ${by.id}) as jobs`
  return row
}

describe('a message to a thousand, before anything has been done about it', () => {
  let by: Organisation
  let sent: Message
  const list = numbers(1_000)

  beforeAll(async () => {
    by = await service.organisation({ credit: 5_000 })
    sent = (await send(by, { recipients: list.join(','), external_ref: 'campaign' })).body
  })

  test('is stored in one pack, and read as a thousand queued deliveries in their order', async () => {
    expect(await rowsOf(by)).toEqual({ packs: 1, packed: 1_000, deliveries: 0, jobs: 1 })
    const message = await read(by, sent.id)
    expect(message.recipients).toEqual(list)
    const { created_datetime } = sent
    expect(message.deliveries).toEqual(
      list.map((recipient) => ({
        recipient,
        status: 'queued',
        pages: 1,
        charge: 4,
        refunded: false,
        created_datetime,
      })),
    )
    expect(message).not.toHaveProperty('updated_datetime')
    expect(message).not.toHaveProperty('send_at')
  })

  test('is listed with its first recipients', async () => {
    const { body } = await by.call<{ messages: Message[] }>('GET', '/sms?external_ref=campaign')
    expect(body.messages).toMatchObject([{ id: sent.id, recipients: list.slice(0, 100) }])
  })

  test('is found and shown in the console', async () => {
    const ada = await person(service, by.id)
    const search = async (query: string) =>
      (await ada.call<{ messages: object[] }>('GET', `/console/api/messages?${query}`)).body.messages
    const found = { id: sent.id, recipients: list.slice(0, 3), recipients_total: 1_000, statuses: { queued: 1_000 } }
    const [first, last] = [list[0], list[999]]
    expect(await search('')).toEqual([expect.objectContaining(found)])
    expect(await search('status=queued')).toEqual([expect.objectContaining(found)])
    expect(await search('status=sent')).toEqual([])
    for (const recipient of [first, last]) {
      const match = { recipient, status: 'queued' }
      expect(await search(`recipient=${recipient}`)).toEqual([expect.objectContaining({ ...found, match })])
      expect(await search(`recipient=${recipient}&status=queued`)).toHaveLength(1)
      expect(await search(`recipient=${recipient}&status=delivered`)).toEqual([])
    }
    expect(await search(`recipient=${first?.slice(0, -1)}`)).toEqual([])
    expect(await search('recipient=2348039999999')).toEqual([])

    const page = await ada.call('GET', `/console/api/messages/${sent.id}?limit=2&page=500`)
    expect(page.body).toMatchObject({
      deliveries: list.slice(998).map((recipient) => ({ recipient, status: 'queued' })),
    })
    const one = await ada.call('GET', `/console/api/messages/${sent.id}/timeline?recipient=${last}`)
    expect(one.body).toMatchObject({ recipient: last, status: 'queued', text: 'Hello', events: [{ kind: 'accepted' }] })
    const { body } = await ada.call<{ now: object }>('GET', '/console/api/overview?range=hour')
    expect(body.now).toMatchObject({ queue_depth: 1_000, queue_depth_capped: false })
  })

  test('cannot be taken back: it is on its way', async () => {
    expect((await by.call('DELETE', `/sms/${sent.id}`)).status).toBe(409)
    expect(await rowsOf(by)).toMatchObject({ packed: 1_000, jobs: 1 })
  })

  test('is nobody else’s', async () => {
    const other = await service.organisation()
    expect((await other.call('GET', `/sms/${sent.id}`)).status).toBe(404)
  })

  test('has its charge in the books', async () => {
    expect((await by.call('GET', '/balance')).body).toMatchObject({ balance: 1_000 })
    expect(await auditMoney(service.db)).toEqual([])
  })
})

test('10,000 recipients at several prices keep their order', async () => {
  const by = await service.organisation({ credit: 400_000 })
  const home = numbers(5_000)
  const abroad = numbers(5_000, '44770')
  const list = home.flatMap((one, n) => [one, abroad[n] ?? ''])
  const { status, body } = await send(by, { recipients: list })
  expect(status).toBe(200)
  expect(body.recipients).toEqual(list)
  expect(body.meta.estimate).toMatchObject({ charge: 5_000 * (4 + 35) })
  expect(await rowsOf(by)).toEqual({ packs: 10, packed: 10_000, deliveries: 0, jobs: 10 })
  const { deliveries } = await read(by, body.id)
  expect(deliveries.map(({ recipient, charge }) => [recipient, charge])).toEqual(
    list.map((recipient, n) => [recipient, n % 2 === 0 ? 4 : 35]),
  )
  expect(await auditMoney(service.db)).toEqual([])
})

test.each([
  ['fewer than a hundred', { recipients: numbers(99) }],
  ['for later', { recipients: numbers(200), send_at: new Date(Date.now() + 3_600_000).toISOString() }],
])('%s are stored one by one', async (_, body) => {
  const by = await service.organisation({ credit: 5_000 })
  expect((await send(by, body)).status).toBe(200)
  expect(await rowsOf(by)).toMatchObject({ packs: 0, deliveries: body.recipients.length })
})

test('texts and links of their own are read and kept as they were written', async () => {
  const by = await service.organisation({ credit: 50_000 })
  const write = (name: string, url: string) => `Dear ${name}: "x", {y}, back\\slash, ẹ ₦, NULL, ${url}`
  const content = write('{{name}}', 'https://example.com/offer')
  const template = await by.call<{ id: string }>('POST', '/templates', { name: 'campaign', content })
  const list = numbers(1_500)
  const names = list.map((_, n) => ['null', `Ada "${n}\\`, `${'long '.repeat(20)}${n}`][n % 3] ?? '')
  const personalisation = list.map((to, n) => ({ to, substitutions: { name: names[n] } }))
  const body = { recipients: list, template_id: template.body.id, personalisation, is_trackable: true }
  const [sent, beside] = await Promise.all([send(by, body), send(by, { recipients: numbers(300) })])
  expect([sent.status, beside.status]).toEqual([200, 200])
  expect(await rowsOf(by)).toMatchObject({ packed: 1_800, deliveries: 0 })
  type Told = { text?: string; links?: { short_url: string }[] }
  const told = async (id: string) => (await by.call<{ deliveries: Told[] }>('GET', `/sms/${id}`)).body.deliveries
  const before = await told(sent.body.id)
  const short = before.map(({ links }) => links?.[0]?.short_url ?? '')
  expect(new Set(short).size).toBe(1_500)
  expect(before.map(({ text }) => text)).toEqual(names.map((name, n) => write(name, short[n] ?? '')))
  expect((await told(beside.body.id)).some((one) => 'text' in one)).toBe(false)
  await unpackAll(service.db, by.id)
  expect(await told(sent.body.id)).toEqual(before)
  expect(await rowsOf(by)).toMatchObject({ packs: 0, deliveries: 1_800 })
  expect(await auditMoney(service.db)).toEqual([])
})

test('402 stores and charges nothing', async () => {
  const by = await service.organisation({ credit: 3_999 })
  const { status } = await send(by, { recipients: numbers(1_000) })
  expect(status).toBe(402)
  expect(await rowsOf(by)).toEqual({ packs: 0, packed: 0, deliveries: 0, jobs: 0 })
  expect((await by.call('GET', '/balance')).body).toMatchObject({ balance: 3_999 })
})

test('of two that the balance covers only one of, one is stored, whole', async () => {
  const by = await service.organisation({ credit: 1_000 })
  const answers = await Promise.all([1, 2].map(() => send(by, { recipients: numbers(200) })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 402])
  expect(await rowsOf(by)).toEqual({ packs: 1, packed: 200, deliveries: 0, jobs: 1 })
  expect((await by.call('GET', '/balance')).body).toMatchObject({ balance: 200 })
  expect(await auditMoney(service.db)).toEqual([])
})

test('a retry with the same key gets the first answer, and nothing is stored again', async () => {
  const by = await service.organisation({ credit: 10_000 })
  const body = { recipients: numbers(1_000) }
  const first = await send(by, body, { 'idempotency-key': 'campaign' })
  const [again, new_one, other] = await Promise.all([
    send(by, body, { 'idempotency-key': 'campaign' }),
    send(by, { recipients: numbers(300, '234805') }, { 'idempotency-key': 'another' }),
    send(by, { recipients: numbers(999) }, { 'idempotency-key': 'campaign' }).then(({ status }) => status),
  ])
  expect(again.text).toBe(first.text)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(new_one.status).toBe(200)
  expect(other).toBe(409)
  expect(await rowsOf(by)).toEqual({ packs: 2, packed: 1_300, deliveries: 0, jobs: 2 })
  expect((await by.call('GET', '/balance')).body).toMatchObject({ balance: 10_000 - 4 * 1_300 })
  expect(await auditMoney(service.db)).toEqual([])
})

test('short and long lists in one burst are all stored', async () => {
  const by = await service.organisation({ credit: 100_000 })
  const sizes = [1, 150, 2, 2_500, 99, 100]
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => sizes)
      .flat()
      .map((size) => send(by, { recipients: numbers(size) })),
  )
  for (const { body } of answers) {
    expect((await read(by, body.id)).deliveries.map(({ recipient }) => recipient)).toEqual(body.recipients)
  }
  expect(await rowsOf(by)).toMatchObject({ packed: 4 * 2_750, deliveries: 4 * 102 })
  expect(await auditMoney(service.db)).toEqual([])
})
