import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeAcceptMessages } from '../../src/messaging/accept/accept.ts'
import { PRIORITY, type Draft } from '../../src/messaging/draft.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { draftOf, numbersOf, saleOf } from '../support/drafts.ts'
import { claimAll, emptyIntake, putOff, writeOutcomes } from '../support/intake.ts'
import { person, type Person } from '../support/person.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'

type Delivery = { recipient: string; status: string; charge: number; text?: string; links?: { short_url: string }[] }
type Sent = { id: string; recipients: string[]; content: string; created_datetime: string; external_ref?: string }
type Message = Sent & { deliveries: Delivery[] }
type Listed = { messages: Sent[]; meta: { pagination: { count_total: number } } }

const TEXT = 'Dear "Ada", {y}, back\\slash, ẹ ₦ 🎉, NULL, \\u0041 \\u0000 \\ud800, \u2028'
const IN_AN_HOUR = new Date(Date.now() + 3_600_000).toISOString()

let service: TestService

beforeAll(async () => {
  const routes = [
    { name: 'sms', channel: 'sms', carrier: 'simulator' },
    { name: 'abroad', channel: 'sms', prefix: '44', carrier: 'simulator' },
  ]
  service = await openService({ workers: false, settings: { routes } })
})
afterAll(() => service.close())

const send = (by: Organisation, body: object, headers?: Record<string, string>) =>
  by.call<Sent & { meta: { estimate: object } }>('POST', '/sms/send', { content: 'Hello', ...body }, headers)

const read = async (by: Organisation, id: string) => (await by.call<Message>('GET', `/sms/${id}`)).body

const found = async (ada: Person, query: string) =>
  (await ada.call<{ messages: Sent[] }>('GET', `/console/api/messages?${query}`)).body.messages

async function countsOf(by: Organisation) {
  const [row] = await service.db<{ waiting: number; messages: number; deliveries: number; jobs: number }[]>`
    select
      (select coalesce(sum(size), 0)::integer from intake where organisation_id = ${by.id}) as waiting,
      (select count(*)::integer from messages where organisation_id = ${by.id}) as messages,
      (select count(*)::integer from deliveries where organisation_id = ${by.id}) as deliveries,
      (select count(*)::integer from jobs where organisation_id = ${by.id}) as jobs`
  return row
}

/** Half of the recipients of every row are submitted and recorded; the other half is still in the intake. */
async function handOverHalf(by: Organisation): Promise<void> {
  for (const { route, granted } of await claimAll(service.db, by.id)) {
    const half = granted.filter((_, n) => n % 2 === 0)
    await writeOutcomes(service.db, route, { unsent: half.map((delivery) => putOff(delivery, route)) })
  }
}

/** All responses about an organisation's messages. */
async function everythingTold(by: Organisation, ada: Person, messages: readonly Sent[]) {
  const some = messages.filter((_, n) => n % 10 === 0)
  const bodies = await Promise.all([
    ...messages.map(({ id }) => by.call('GET', `/sms/${id}`)),
    by.call('GET', '/sms?limit=1000'),
    ...[1, 2, 3].map((page) => by.call('GET', `/sms?limit=7&page=${page}`)),
    ada.call('GET', '/console/api/messages?limit=100'),
    ada.call('GET', '/console/api/messages?limit=100&status=queued'),
    ada.call('GET', '/console/api/messages?limit=3&status=queued'),
    ...some.flatMap(({ id, recipients, external_ref = '' }) => [
      by.call('GET', `/sms?external_ref=${encodeURIComponent(external_ref)}`),
      ada.call('GET', `/console/api/messages?external_ref=${encodeURIComponent(external_ref)}`),
      ada.call('GET', `/console/api/messages?recipient=${recipients.at(-1)}`),
      ada.call('GET', `/console/api/messages/${id}?limit=2&page=1`),
      ada.call('GET', `/console/api/messages/${id}?status=queued`),
      ada.call('GET', `/console/api/messages/${id}/timeline?recipient=${recipients.at(-1)}`),
    ]),
  ])
  const csv = await ada.call('GET', '/console/api/messages.csv')
  return { bodies: bodies.map(({ body }) => ({ ...body, meta: undefined })), csv: csv.text }
}

describe.each([
  ['single messages that came together', () => numbersOf(60).map((to) => ({ recipients: to }))],
  [
    'messages to a few, one of them abroad',
    () =>
      numbersOf(30).map((to, n) => ({
        recipients: [to, `4477001${String(n).padStart(5, '0')}`, `${to.slice(0, -1)}x`.replace('x', '9')],
      })),
  ],
  [
    'lists of several hundred, at two prices',
    () =>
      [700, 300, 256].map((count) => ({
        recipients: numbersOf(count).map((to, n) => (n % 3 === 0 ? `4477${to.slice(-8)}` : to)),
      })),
  ],
])('%s, before they are submitted', (_, bodies) => {
  let by: Organisation
  let ada: Person
  let sent: Sent[]
  let one: Sent
  const total = () => sent.reduce((sum, { recipients }) => sum + recipients.length, 0)

  beforeAll(async () => {
    by = await service.organisation({ credit: 1_000_000 })
    ada = await person(service, by.id)
    const answers = await Promise.all(
      bodies().map((body, n) =>
        send(by, {
          ...body,
          content: `${TEXT} ${n}`,
          external_ref: `"order" ẹ\\ ${n}`,
          callback: 'http://127.0.0.1:9/callback',
        }),
      ),
    )
    const refused = answers.find(({ status }) => status !== 200)
    if (refused) throw new Error(`rejected: ${refused.text}`)
    sent = answers.map(({ body }) => body)
    one = sent[0]!
  })

  test('are in the intake, and have no deliveries of their own', async () => {
    expect(await countsOf(by)).toMatchObject({ waiting: total(), deliveries: 0, jobs: 0 })
  })

  test('are read as they were accepted, each delivery queued', async () => {
    for (const { id, recipients, content, external_ref, created_datetime } of sent) {
      const { status, body } = await by.call<Message>('GET', `/sms/${id}`)
      expect(status).toBe(200)
      expect(body).toMatchObject({ id, recipients, content, external_ref, sender_id: 'Gangan', created_datetime })
      expect(body).toMatchObject({ channel: 'sms', is_trackable: false, callback: 'http://127.0.0.1:9/callback' })
      expect(body.deliveries).toEqual(
        recipients.map((recipient) => ({
          recipient,
          status: 'queued',
          pages: expect.any(Number),
          charge: expect.any(Number),
          refunded: false,
          created_datetime,
        })),
      )
      expect(body).not.toHaveProperty('updated_datetime')
      expect(body).not.toHaveProperty('send_at')
    }
  })

  test('are listed in order, by page and by reference', async () => {
    const whole = (await by.call<Listed>('GET', '/sms?limit=1000')).body
    const ids = whole.messages.map(({ id }) => id)
    expect(ids).toEqual(
      sent
        .map(({ id }) => id)
        .sort()
        .reverse(),
    )
    expect(whole.meta.pagination.count_total).toBe(ids.length)
    const pages = [1, 2, 3].map((page) => by.call<Listed>('GET', `/sms?limit=7&page=${page}`))
    const listed = (await Promise.all(pages)).flatMap(({ body }) => body.messages.map(({ id }) => id))
    expect(listed).toEqual(ids.slice(0, 21))
    const { body } = await by.call<Listed>('GET', `/sms?external_ref=${encodeURIComponent(one.external_ref ?? '')}`)
    expect(body.messages).toMatchObject([{ id: one.id, recipients: one.recipients.slice(0, 100) }])
  })

  test('are found and shown in the console', async () => {
    const last = one.recipients.at(-1) ?? ''
    const shown = {
      id: one.id,
      recipients: one.recipients.slice(0, 3),
      recipients_total: one.recipients.length,
      statuses: { queued: one.recipients.length },
      content: one.content,
    }
    expect(await found(ada, 'limit=100')).toContainEqual(expect.objectContaining(shown))
    expect(await found(ada, 'status=queued&limit=100')).toContainEqual(expect.objectContaining(shown))
    expect(await found(ada, 'status=sent')).toEqual([])
    for (const recipient of [one.recipients[0], last]) {
      const match = { recipient, status: 'queued' }
      expect(await found(ada, `recipient=${recipient}&status=queued&limit=100`)).toContainEqual(
        expect.objectContaining({ ...shown, match }),
      )
      expect(await found(ada, `recipient=${recipient}&status=delivered`)).toEqual([])
    }
    expect(await found(ada, `recipient=${last.slice(0, -1)}`)).toEqual([])
    const page = await ada.call('GET', `/console/api/messages/${one.id}?limit=1&page=${one.recipients.length}`)
    expect(page.body).toMatchObject({ deliveries: [{ recipient: last, status: 'queued' }] })
    const timeline = await ada.call('GET', `/console/api/messages/${one.id}/timeline?recipient=${last}`)
    expect(timeline.body).toMatchObject({
      recipient: last,
      status: 'queued',
      text: one.content,
      events: [{ kind: 'accepted' }],
    })
    const csv = await ada.call('GET', '/console/api/messages.csv')
    expect(csv.text.split('\r\n').filter((line) => line.includes(',queued,'))).toHaveLength(total())
    const { body } = await ada.call<{ now: object }>('GET', '/console/api/overview?range=hour')
    expect(body.now).toMatchObject({ queue_depth: total(), queue_depth_capped: false })
    expect((await ada.call('GET', '/console/api/checklist')).body).toMatchObject({ first_message: true })
  })

  test('cannot be canceled: they are being submitted', async () => {
    expect((await by.call('DELETE', `/sms/${one.id}`)).status).toBe(409)
    expect(await countsOf(by)).toMatchObject({ waiting: total() })
  })

  test('are not visible to other organisations', async () => {
    const other = await service.organisation()
    const eve = await person(service, other.id)
    expect((await other.call('GET', `/sms/${one.id}`)).status).toBe(404)
    expect((await other.call('DELETE', `/sms/${one.id}`)).status).toBe(404)
    expect((await other.call<Listed>('GET', '/sms')).body.messages).toEqual([])
    expect(await found(eve, 'status=queued')).toEqual([])
    expect(await found(eve, `recipient=${one.recipients[0]}`)).toEqual([])
    expect((await eve.call('GET', `/console/api/messages/${one.id}`)).status).toBe(404)
  })

  test('are the same to every reader before, during and after submission, and the ledger balances', async () => {
    const before = await everythingTold(by, ada, sent)
    expect(await auditMoney(service.db)).toEqual([])
    await handOverHalf(by)
    expect((await countsOf(by))?.deliveries).toBeGreaterThanOrEqual(total() / 2)
    expect((await countsOf(by))?.waiting).toBeGreaterThan(0)
    expect(await everythingTold(by, ada, sent)).toEqual(before)
    expect(await auditMoney(service.db)).toEqual([])
    await service.db`update intake set leased_until = now() where organisation_id = ${by.id}`
    await emptyIntake(service.db, by.id)
    expect(await countsOf(by)).toEqual({ waiting: 0, messages: sent.length, deliveries: total(), jobs: total() })
    expect(await everythingTold(by, ada, sent)).toEqual(before)
    expect(await auditMoney(service.db)).toEqual([])
  })
})

test('readers see every message and recipient once at any moment during submission', async () => {
  const by = await service.organisation({ credit: 1_000_000 })
  const sent = await Promise.all(
    [...numbersOf(40), numbersOf(1_000).join()].map((recipients) => send(by, { recipients })),
  )
  const list = sent.at(-1)?.body
  let done = false
  const reading = Promise.all(
    [1, 2].map(async () => {
      for (let reads = 0; ; reads += 1) {
        const last = done
        expect((await by.call<Listed>('GET', '/sms?limit=1000')).body.messages).toHaveLength(41)
        expect((await read(by, list?.id ?? '')).recipients).toEqual(list?.recipients)
        if (last) return reads
      }
    }),
  )
  for (const { route, granted } of await claimAll(service.db, by.id)) {
    for (let n = 0; n < granted.length; n += 50) {
      const others = granted.slice(n, n + 50).map((delivery) => putOff(delivery, route))
      await writeOutcomes(service.db, route, { unsent: others })
    }
  }
  done = true
  expect(Math.min(...(await reading))).toBeGreaterThan(0)
  expect(await countsOf(by)).toMatchObject({ waiting: 0, deliveries: 1_040 })
})

test('10,000 recipients at several prices and on two routes keep their order', async () => {
  const by = await service.organisation({ credit: 400_000 })
  const abroad = numbersOf(5_000, '44770')
  const list = numbersOf(5_000).flatMap((one, n) => [one, abroad[n] ?? ''])
  const { status, body } = await send(by, { recipients: list })
  expect(status).toBe(200)
  expect(body.recipients).toEqual(list)
  expect(body.meta.estimate).toMatchObject({ charge: 5_000 * (4 + 35) })
  expect(await countsOf(by)).toEqual({ waiting: 10_000, messages: 1, deliveries: 0, jobs: 0 })
  const { deliveries } = await read(by, body.id)
  expect(deliveries.map(({ recipient, charge }) => [recipient, charge])).toEqual(
    list.map((recipient, n) => [recipient, n % 2 === 0 ? 4 : 35]),
  )
  expect(await auditMoney(service.db)).toEqual([])
})

test('texts, templates, links and personalised texts of a list pass through the intake unchanged', async () => {
  const by = await service.organisation({ credit: 50_000 })
  const write = (name: string, url: string) => `Dear ${name}: "x", {y}, back\\slash, ẹ ₦, NULL, ${url}`
  const content = write('{{name}}', 'https://example.com/offer')
  const template = await by.call<{ id: string }>('POST', '/templates', { name: 'campaign', content })
  const list = numbersOf(1_500)
  const names = list.map((_, n) => ['null', `Ada "${n}\\`, `${'long '.repeat(20)}${n}`][n % 3] ?? '')
  const personalisation = list.map((to, n) => ({ to, substitutions: { name: names[n] } }))
  const body = {
    recipients: list,
    template_id: template.body.id,
    personalisation,
    is_trackable: true,
    content: undefined,
  }
  const single = { ...body, recipients: list[1], personalisation: personalisation.slice(1, 2) }
  const [sent, beside, alone] = await Promise.all([
    send(by, body),
    send(by, { recipients: numbersOf(300) }),
    send(by, single),
  ])
  expect([sent.status, beside.status, alone.status]).toEqual([200, 200, 200])
  expect(await countsOf(by)).toMatchObject({ waiting: 1_801, deliveries: 0 })
  const deliveriesOf = async (id: string) => (await read(by, id)).deliveries
  const before = await Promise.all([
    deliveriesOf(sent.body.id),
    deliveriesOf(alone.body.id),
    deliveriesOf(beside.body.id),
  ])
  const short = before[0].map(({ links }) => links?.[0]?.short_url ?? '')
  expect(new Set(short).size).toBe(1_500)
  expect(before[0].map(({ text }) => text)).toEqual(names.map((name, n) => write(name, short[n] ?? '')))
  expect(before[1][0]?.text).toBe(write(names[1] ?? '', before[1][0]?.links?.[0]?.short_url ?? ''))
  expect(before[2].some((one) => 'text' in one)).toBe(false)
  expect(await read(by, alone.body.id)).toMatchObject({
    template_id: template.body.id,
    template_version: 1,
    is_trackable: true,
    personalisation: personalisation.slice(1, 2),
  })
  await emptyIntake(service.db, by.id)
  expect(
    await Promise.all([deliveriesOf(sent.body.id), deliveriesOf(alone.body.id), deliveriesOf(beside.body.id)]),
  ).toEqual(before)
  expect(await countsOf(by)).toMatchObject({ waiting: 0, deliveries: 1_801 })
  expect(await auditMoney(service.db)).toEqual([])
})

test('scheduled messages are not in the intake, and can be canceled', async () => {
  const by = await service.organisation({ credit: 5_000 })
  const { body } = await send(by, { recipients: numbersOf(200), send_at: IN_AN_HOUR })
  expect(await countsOf(by)).toEqual({ waiting: 0, messages: 1, deliveries: 200, jobs: 1 })
  expect((await by.call('DELETE', `/sms/${body.id}`)).status).toBe(204)
  expect((await by.call('GET', '/balance')).body).toMatchObject({ balance: 5_000 })
  expect(await auditMoney(service.db)).toEqual([])
})

test('a send rejected with 402 stores and charges nothing', async () => {
  const by = await service.organisation({ credit: 3_999 })
  const { status } = await send(by, { recipients: numbersOf(1_000) })
  expect(status).toBe(402)
  expect(await countsOf(by)).toEqual({ waiting: 0, messages: 0, deliveries: 0, jobs: 0 })
  expect((await by.call('GET', '/balance')).body).toMatchObject({ balance: 3_999 })
})

test('of two messages of which the balance covers one, one is stored completely', async () => {
  const by = await service.organisation({ credit: 1_000 })
  const answers = await Promise.all([1, 2].map(() => send(by, { recipients: numbersOf(200) })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 402])
  expect(await countsOf(by)).toEqual({ waiting: 200, messages: 0, deliveries: 0, jobs: 0 })
  expect((await by.call('GET', '/balance')).body).toMatchObject({ balance: 200 })
  expect(await auditMoney(service.db)).toEqual([])
})

test('in a burst that the balance covers in part, each message is either stored and charged, or rejected', async () => {
  const by = await service.organisation({ credit: 4 * 25 })
  const answers = await Promise.all(numbersOf(60).map((recipients) => send(by, { recipients })))
  const taken = answers.filter(({ status }) => status === 200)
  expect(taken).toHaveLength(25)
  expect(answers.filter(({ status }) => status === 402)).toHaveLength(35)
  for (const { body } of taken) expect((await by.call('GET', `/sms/${body.id}`)).status).toBe(200)
  const { body } = await by.call<Listed>('GET', '/sms?limit=10')
  expect(body.meta.pagination.count_total).toBe(25)
  const newest = taken
    .map((one) => one.body.id)
    .sort()
    .reverse()
  expect(body.messages.map(({ id }) => id)).toEqual(newest.slice(0, 10))
  expect((await by.call('GET', '/balance')).body).toMatchObject({ balance: 0 })
  expect(await auditMoney(service.db)).toEqual([])
})

test('concurrent retries with Idempotency-Keys get the first response byte for byte, and nothing is stored twice', async () => {
  const by = await service.organisation({ credit: 10_000 })
  const once = (n: number) =>
    send(by, { recipients: n === 7 ? numbersOf(300) : `234803${n + 1_000_000}` }, { 'idempotency-key': `k${n}` })
  const first = await Promise.all(Array.from({ length: 40 }, (_, n) => once(n)))
  const again = await Promise.all(Array.from({ length: 50 }, (_, n) => once(n)))
  expect(again.slice(0, 40).map(({ text }) => text)).toEqual(first.map(({ text }) => text))
  expect(again.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual(
    again.map((_, n) => (n < 40 ? 'true' : null)),
  )
  expect((await send(by, { recipients: numbersOf(2) }, { 'idempotency-key': 'k1' })).status).toBe(409)
  expect((await by.call<Listed>('GET', '/sms')).body.meta.pagination.count_total).toBe(50)
  expect(await countsOf(by)).toMatchObject({ waiting: 349 })
  expect((await by.call('GET', '/balance')).body).toMatchObject({ balance: 10_000 - 4 * 349 })
  expect(await auditMoney(service.db)).toEqual([])
})

describe('the lines of the ledger', () => {
  type Line = { kind: string; amount: number; subject_id: string; subjects?: number; subject_ids?: string[] }

  const linesOf = async (by: Organisation) =>
    (await by.call<{ entries: Line[] }>('GET', '/balance?limit=1000')).body.entries.filter(
      ({ kind }) => kind === 'message',
    )

  /** Charges and stores messages in one batch. */
  function accept(by: Organisation, drafts: readonly Draft[]) {
    const wakeups = { wake() {}, onWake: () => () => {}, close: async () => {} }
    const { storeSales } = makeAcceptMessages({
      db: service.db,
      shared_db: service.db,
      wakeups,
      submittersOf: () => [],
      depth: { add() {} },
    })
    return storeSales(
      by.id,
      drafts.map((draft) => saleOf(draft)),
    )
  }

  /** The ledger entries before, during and after submission. */
  async function linesMeanwhile(by: Organisation): Promise<Line[]> {
    const waiting = await linesOf(by)
    await handOverHalf(by)
    expect(await linesOf(by)).toEqual(waiting)
    await service.db`update intake set leased_until = now() where organisation_id = ${by.id}`
    await emptyIntake(service.db, by.id)
    expect(await countsOf(by)).toMatchObject({ waiting: 0 })
    expect(await linesOf(by)).toEqual(waiting)
    expect(await auditMoney(service.db)).toEqual([])
    return waiting
  }

  test('name the messages they charge, across requests of one batch', async () => {
    const by = await service.organisation({ credit: 1_000 })
    const sent = await Promise.all(numbersOf(60).map((recipients) => send(by, { recipients })))
    const lines = await linesMeanwhile(by)
    for (const { amount, subject_id, subjects, subject_ids } of lines) {
      expect(amount).toBe(-4 * (subjects ?? 1))
      expect(subject_ids?.length).toBe(subjects)
      expect(subject_ids?.[0] ?? subject_id).toBe(subject_id)
    }
    const named = lines.flatMap(({ subject_id, subject_ids }) => subject_ids ?? [subject_id])
    expect(named.sort()).toEqual(sent.map(({ body }) => body.id).sort())
  })

  test('of a single message have no count', async () => {
    const by = await service.organisation({ credit: 5_000 })
    const { body } = await send(by, { recipients: numbersOf(600) })
    const [line, ...others] = await linesMeanwhile(by)
    expect(others).toEqual([])
    expect(line).toMatchObject({ amount: -2_400, subject_id: body.id })
    expect(line).not.toHaveProperty('subjects')
    expect(line).not.toHaveProperty('subject_ids')
  })

  test('of more than a hundred count all and name the first hundred, for all routes, slices and times', async () => {
    const by = await service.organisation({ credit: 10_000 })
    const drafts = [
      draftOf({ deliveries: numbersOf(700), priority: PRIORITY.bulk }),
      draftOf({ deliveries: [{ send_at: IN_AN_HOUR }] }),
      draftOf({ deliveries: [{ route: 'abroad' }] }),
      ...Array.from({ length: 130 }, () => draftOf()),
    ]
    await accept(by, drafts)
    const ids = drafts.map(({ id }) => id).sort()
    expect(await linesMeanwhile(by)).toMatchObject([
      { amount: -4 * 832, subject_id: ids[0], subjects: 133, subject_ids: ids.slice(0, 100) },
    ])
  })

  test('name neither rejected messages nor those of another entry', async () => {
    const by = await service.organisation({ credit: 40 })
    const [one, expensive, two, three, four] = [1, 20, 1, 2, 3].map((count) =>
      draftOf({ deliveries: numbersOf(count) }),
    )
    if (!one || !expensive || !two || !three || !four) throw new Error('too few')
    // Their ids interleave, like those of two processes.
    await accept(by, [one, expensive, four])
    await accept(by, [two, three])
    expect(await linesMeanwhile(by)).toMatchObject([
      { amount: -12, subject_id: two.id, subjects: 2, subject_ids: [two.id, three.id] },
      { amount: -16, subject_id: one.id, subjects: 2, subject_ids: [one.id, four.id] },
    ])
    const other = await service.organisation()
    expect(await linesOf(other)).toEqual([])
  })
})
