import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { sendBundled, unbundleAll, type Sent } from '../support/bundles.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { person } from '../support/person.ts'

type Listed = { messages: { id: string }[]; meta: { pagination: { count_total: number } } }

let service: TestService

beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

const numbers = (count: number, prefix = '234803') =>
  Array.from({ length: count }, (_, n) => prefix + String(n).padStart(7, '0'))

const TEXT = 'Dear "Ada", {y}, back\\slash, ẹ ₦ 🎉, NULL, \\u0041'

describe('messages that came together, before anything has been done about them', () => {
  let by: Organisation
  let sent: Sent[]
  let one: Sent

  beforeAll(async () => {
    by = await service.organisation({ credit: 100_000 })
    const bodies = numbers(60).map((to, n) => ({
      recipients: n % 3 === 0 ? [to, `447700${String(n).padStart(6, '0')}`] : to,
      content: `${TEXT} ${n}`,
      external_ref: `"order" ẹ\\ ${n}`,
      callback: 'http://127.0.0.1:9/told',
    }))
    sent = await sendBundled(service, by, bodies)
    one = sent.find(({ recipients }) => recipients.length === 2) ?? sent[0]!
  })

  test('are in bundles and nowhere else', async () => {
    const [row] = await service.db`
      select count(*)::integer as rows from messages join deliveries on message_id = id
      where id = any (${sent.map(({ id }) => id)}::uuid[])`
    expect(row).toEqual({ rows: 0 })
  })

  test('are read as they were answered, each delivery queued', async () => {
    for (const { id, recipients, content, external_ref, created_datetime } of sent) {
      const { status, body } = await by.call('GET', `/sms/${id}`)
      expect(status).toBe(200)
      expect(body).toMatchObject({ id, recipients, content, external_ref, sender_id: 'Gangan', created_datetime })
      expect(body).toMatchObject({ channel: 'sms', is_trackable: false, callback: 'http://127.0.0.1:9/told' })
      expect(body.deliveries).toEqual(
        recipients.map((recipient) => ({
          recipient,
          status: 'queued',
          pages: 1,
          charge: recipient.startsWith('234') ? 4 : 35,
          refunded: false,
          created_datetime,
        })),
      )
      expect(body).not.toHaveProperty('updated_datetime')
      expect(body).not.toHaveProperty('send_at')
    }
  })

  test('are listed in their order, by page and by reference', async () => {
    const whole = (await by.call<Listed>('GET', '/sms?limit=1000')).body
    const ids = whole.messages.map(({ id }) => id)
    expect(ids).toEqual([...ids].sort().reverse())
    for (const { id } of sent) expect(ids).toContain(id)
    expect(whole.meta.pagination.count_total).toBe(ids.length)
    const pages = [1, 2, 3].map((page) => by.call<Listed>('GET', `/sms?limit=7&page=${page}`))
    const listed = (await Promise.all(pages)).flatMap(({ body }) => body.messages.map(({ id }) => id))
    expect(listed).toEqual(ids.slice(0, 21))
    const { body } = await by.call<Listed>('GET', `/sms?external_ref=${encodeURIComponent(one.external_ref ?? '')}`)
    expect(body.messages[0]).toMatchObject({ id: one.id, recipients: one.recipients })
  })

  test('are found and shown in the console', async () => {
    const ada = await person(service, by.id)
    const search = async (query: string) =>
      (await ada.call<{ messages: { id: string }[] }>('GET', `/console/api/messages?${query}`)).body.messages
    const [recipient, second] = one.recipients
    const found = {
      id: one.id,
      recipients: one.recipients,
      recipients_total: one.recipients.length,
      statuses: { queued: one.recipients.length },
      content: one.content,
    }
    const ids = sent.map(({ id }) => id)
    expect((await search('limit=100')).filter(({ id }) => ids.includes(id))).toContainEqual(
      expect.objectContaining(found),
    )
    expect(await search('status=queued&limit=100')).toContainEqual(expect.objectContaining(found))
    expect(await search('status=sent')).toEqual([])
    for (const number of [recipient, second]) {
      const match = { recipient: number, status: 'queued' }
      expect(await search(`recipient=${number}&status=queued`)).toContainEqual(
        expect.objectContaining({ ...found, match }),
      )
      expect(await search(`recipient=${number}&status=delivered`)).toEqual([])
    }
    const page = await ada.call('GET', `/console/api/messages/${one.id}?limit=1&page=2`)
    expect(page.body).toMatchObject({ deliveries: [{ recipient: second, status: 'queued' }] })
    const timeline = await ada.call('GET', `/console/api/messages/${one.id}/timeline?recipient=${second}`)
    expect(timeline.body).toMatchObject({
      recipient: second,
      status: 'queued',
      text: one.content,
      events: [{ kind: 'accepted' }],
    })
    const { body } = await ada.call<{ now: { queue_depth: number } }>('GET', '/console/api/overview?range=hour')
    const [row] = await service.db`
      select count(*)::integer as open from every_delivery where organisation_id = ${by.id}`
    expect(body.now.queue_depth).toBe(row?.open)
    expect((await ada.call('GET', '/console/api/checklist')).body).toMatchObject({ first_message: true })
  })

  test('cannot be taken back: they are on their way', async () => {
    expect((await by.call('DELETE', `/sms/${one.id}`)).status).toBe(409)
  })

  test('are nobody else’s', async () => {
    const other = await service.organisation()
    expect((await other.call('GET', `/sms/${one.id}`)).status).toBe(404)
    expect((await other.call('DELETE', `/sms/${one.id}`)).status).toBe(404)
    expect((await other.call<Listed>('GET', '/sms')).body.messages).toEqual([])
  })

  test('have their charge in the books', async () => {
    expect(await auditMoney(service.db)).toEqual([])
  })

  test('are the same to every reader when they are messages by themselves', async () => {
    const ada = await person(service, by.id)
    const look = async () => {
      const answers = [
        ...sent.map(({ id }) => by.call('GET', `/sms/${id}`)),
        by.call('GET', '/sms?limit=1000'),
        ada.call('GET', '/console/api/messages?limit=100'),
        ada.call('GET', `/console/api/messages/${one.id}`),
        ada.call('GET', `/console/api/messages/${one.id}/timeline?recipient=${one.recipients[1]}`),
      ]
      return (await Promise.all(answers)).map(({ body }) => ({ ...body, meta: undefined }))
    }
    const before = await look()
    await unbundleAll(service.db, by.id)
    expect(await service.db`select 1 from bundles where organisation_id = ${by.id}`).toHaveLength(0)
    expect(await look()).toEqual(before)
    expect(await auditMoney(service.db)).toEqual([])
  })
})

test('texts, templates, links and personal words go through a bundle unharmed', async () => {
  const by = await service.organisation({ credit: 100_000 })
  const content = 'Dear {{name}}: https://example.com/offer'
  const template = await by.call<{ id: string }>('POST', '/templates', { name: 'offer', content })
  const names = ['null', 'Ada "1\\', 'Ṣadé 🎉', '{{x}}']
  const bodies = numbers(40).map((to, n) => ({
    recipients: to,
    template_id: template.body.id,
    personalisation: [{ to, substitutions: { name: names[n % names.length] } }],
    is_trackable: true,
  }))
  const sent = await sendBundled(service, by, bodies)
  const read = () => Promise.all(sent.map(async ({ id }) => (await by.call('GET', `/sms/${id}`)).body))
  const before = await read()
  for (const message of before) {
    const [delivery] = message.deliveries as { recipient: string; text: string; links: { short_url: string }[] }[]
    const name = names[Number(delivery?.recipient.slice(-7)) % names.length]
    expect(delivery?.text).toBe(`Dear ${name}: ${delivery?.links[0]?.short_url}`)
    expect(message).toMatchObject({ template_id: template.body.id, template_version: 1, is_trackable: true })
    expect(message.personalisation).toEqual([{ to: delivery?.recipient, substitutions: { name } }])
  }
  await unbundleAll(service.db, by.id)
  expect(await read()).toEqual(before)
})

test('in a burst that the balance covers in part, each is stored and charged, or refused', async () => {
  const by = await service.organisation({ credit: 4 * 25 })
  const answers = await Promise.all(
    numbers(60).map((to) => by.call<Sent>('POST', '/sms/send', { recipients: to, content: 'Hello' })),
  )
  const taken = answers.filter(({ status }) => status === 200)
  expect(taken).toHaveLength(25)
  expect(answers.filter(({ status }) => status === 402)).toHaveLength(35)
  for (const { body } of taken) expect((await by.call('GET', `/sms/${body.id}`)).status).toBe(200)
  expect((await by.call<Listed>('GET', '/sms')).body.meta.pagination.count_total).toBe(25)
  expect((await by.call('GET', '/balance')).body).toMatchObject({ balance: 0 })
  expect(await auditMoney(service.db)).toEqual([])
})

test('with keys, retried all at once: the first answers again, byte for byte, and nothing stored twice', async () => {
  const by = await service.organisation({ credit: 1_000 })
  const send = (n: number) =>
    by.call(
      'POST',
      '/sms/send',
      { recipients: `234803${n + 1_000_000}`, content: 'Hi' },
      { 'idempotency-key': `k${n}` },
    )
  const first = await Promise.all(Array.from({ length: 40 }, (_, n) => send(n)))
  const again = await Promise.all(Array.from({ length: 50 }, (_, n) => send(n)))
  expect(again.slice(0, 40).map(({ text }) => text)).toEqual(first.map(({ text }) => text))
  expect(again.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual(
    again.map((_, n) => (n < 40 ? 'true' : null)),
  )
  expect((await by.call<Listed>('GET', '/sms')).body.meta.pagination.count_total).toBe(50)
  expect((await by.call('GET', '/balance')).body).toMatchObject({ balance: 800 })
  expect(await auditMoney(service.db)).toEqual([])
})
