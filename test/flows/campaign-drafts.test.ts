import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { campaignOf, estimated, reached, type Campaign } from '../support/campaign.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let service: TestService
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

const number = (n: number): string => `0803${String(n).padStart(7, '0')}`
const LOST = ['2348000000001', '2348000000002', '2348000000004']

type Faults = { errors: { field: string; type: string }[] }
type Recipients = {
  recipients: Record<string, unknown>[]
  meta: { pagination: { next_page: string; query_id?: string } }
}

/** Starts a campaign and waits until all its deliveries have ended. */
async function sent(by: Organisation, id: string): Promise<Campaign> {
  const { estimate } = await estimated(by, id)
  const start = { people: estimate?.people, charge: estimate?.charge }
  expect((await by.call('POST', `/campaigns/${id}/start`, start)).status).toBe(200)
  await reached(by, id, 'finished')
  return until('all to be reported', async () => {
    const { body } = await by.call<Campaign>('GET', `/campaigns/${id}`)
    const { delivered = 0, undelivered = 0, expired = 0 } = body.outcomes ?? {}
    return delivered + undelivered + expired === estimate?.people && body
  })
}

test('an incomplete campaign keeps its fields, is not estimated, and is checked once it is saved complete', async () => {
  const by = await service.organisation()
  const half = {
    is_incomplete: true,
    name: 'Sale',
    sender_id: 'Nobody',
    send_at: '2020-01-01T01:00+01:00',
    quiet_from: '21:00',
    content: 'Hi \u0000{{na',
  }
  const made = await by.call<Campaign>('POST', '/campaigns', half, { 'idempotency-key': 'half' })
  const again = await by.call<Campaign>('POST', '/campaigns', half, { 'idempotency-key': 'half' })
  expect(again.body.id).toBe(made.body.id)
  const { id } = made.body
  expect(made.body).toMatchObject({
    is_incomplete: true,
    status: 'draft',
    name: 'Sale',
    sender_id: 'Nobody',
    send_at: '2020-01-01T00:00:00.000000+00:00',
    texts: [{ content: 'Hi {{na', share: 100 }],
  })
  const path = `/campaigns/${id}`
  const texts = [{ content: 'A' }, { content: 'B' }]
  const further = await by.call<Campaign>('PATCH', path, { is_incomplete: true, texts, send_at: null })
  expect(further.body).toMatchObject({ sender_id: 'Nobody', texts: [{ share: 50 }, { share: 50 }] })
  expect(further.body.send_at).toBeUndefined()
  await by.call('POST', `${path}/recipients`, { recipients: [{ to: number(1) }] })
  expect((await by.call('POST', `${path}/estimate`)).status).toBe(409)

  const wrong = await by.call<Faults>('PATCH', path, { name: 7, is_incomplete: true, pace_per_hour: 0 })
  expect([wrong.status, wrong.body.errors.map(({ field }) => field)]).toEqual([400, ['name', 'pace_per_hour']])
  const misshapen = { smartlist_id: 'x', send_at: 'tomorrow', filters: [{ name: 'None', operator: 'empty' }] }
  const unread = await by.call<Faults>('PATCH', path, { is_incomplete: true, ...misshapen })
  expect([unread.status, unread.body.errors.map(({ field }) => field).sort()]).toEqual([
    400,
    ['filters[0].name', 'send_at', 'smartlist_id'],
  ])
  const refused = await by.call<Faults>('PATCH', path, { content: '' })
  expect([refused.status, refused.body.errors.map(({ field }) => field).sort()]).toEqual([
    400,
    ['content', 'quiet_until'],
  ])
  expect((await by.call<Campaign>('GET', path)).body).toMatchObject({
    is_incomplete: true,
    texts: [{ content: 'A' }, {}],
  })

  const whole = await by.call<Campaign>('PATCH', path, { content: 'Whole', sender_id: 'Gangan', quiet_from: null })
  expect(whole.body).toMatchObject({ name: 'Sale', texts: [{ content: 'Whole' }], uploaded: 1 })
  expect(whole.body.is_incomplete).toBeUndefined()
  expect((await estimated(by, id)).estimate).toMatchObject({ people: 1 })
  const back = await by.call<Campaign>('PATCH', path, { is_incomplete: true, content: '' })
  expect(back.body).toMatchObject({
    status: 'draft',
    is_incomplete: true,
    sender_id: 'Gangan',
    texts: [{ content: '' }],
  })
})

test('a campaign is one message and one ledger entry, and campaign_id lists its parts', async () => {
  const by = await service.organisation({ credit: 10_000 })
  const single = await by.call<{ id: string }>('POST', '/sms/send', { recipients: number(0), content: 'Before' })
  const people = [...Array.from({ length: 600 }, (_, n) => ({ to: number(n) })), ...LOST.map((to) => ({ to }))]
  // A slice of 256 at most, so there are three; the simulated network refuses one number of the last, which is refunded.
  const id = await campaignOf(by, { content: 'Hello', name: 'Many' }, [...people, { to: '2348000000003' }])
  const { estimate } = await estimated(by, id)
  await by.call('POST', `/campaigns/${id}/start`, { people: estimate?.people, charge: estimate?.charge })
  await reached(by, id, 'finished')
  await until('the refund to be counted', async () => {
    const { body } = await by.call<{ refunded: number }>('GET', `/campaigns/${id}/report`)
    return body.refunded === 4
  })

  type Listed = { messages: { id: string; campaign?: object; charge: number; recipients_total: number }[] }
  const parts = await by.call<Listed>('GET', `/sms?campaign_id=${id}`)
  expect(parts.body.messages).toHaveLength(3)
  expect((await by.call<Listed>('GET', '/sms')).body.messages).toHaveLength(4)
  const paged = await by.call<Listed & { meta: { pagination: { count_total: number } } }>(
    'GET',
    `/sms?campaign_id=${id}&limit=1&page=2`,
  )
  expect(paged.body.messages).toEqual([parts.body.messages[1]])
  expect(paged.body.meta.pagination.count_total).toBe(3)

  const costs = await by.call<Listed>('GET', '/balance/messages?group=campaign')
  expect(costs.body.messages).toMatchObject([
    { campaign: { id, name: 'Many', messages: 3 }, charge: 604 * 4, refunded: 4, recipients_total: 604 },
    { id: single.body.id, charge: 4 },
  ])
  expect((await by.call<Listed>('GET', `/balance/messages?campaign_id=${id}`)).body.messages).toHaveLength(3)
  expect((await by.call<Listed>('GET', '/balance/messages')).body.messages).toHaveLength(4)

  type Entries = { entries: { kind: string; amount: number; subject_id: string; campaign?: object }[] }
  const ledger = await by.call<Entries>('GET', '/balance?group=campaign')
  expect(ledger.body.entries).toMatchObject([
    { kind: 'message', campaign: { id, name: 'Many', messages: 3, charge: 604 * 4, refunded: 4 } },
    { kind: 'message', subject_id: single.body.id },
    { kind: 'opening' },
  ])
  const own = (await by.call<Entries>('GET', `/balance?campaign_id=${id}`)).body.entries
  expect(own.map(({ kind }) => kind).sort()).toEqual(['message', 'message', 'message', 'refund'])
  expect(own.reduce((sum, { amount }) => sum + amount, 0)).toBe(-603 * 4)
  expect((await by.call<Entries>('GET', '/balance')).body.entries).toHaveLength(6)
  // In a period that begins after the first charge the others are listed one by one.
  const [, second] = await service.db<{ created_datetime: string }[]>`
    select created_datetime from ledger_lines where organisation_id = ${by.id} and kind = 'message' and amount < -40000
    order by sequence`
  const from = encodeURIComponent(second?.created_datetime ?? '')
  const later = await by.call<Entries>('GET', `/balance?group=campaign&from=${from}`)
  expect(later.body.entries.map(({ kind }) => kind).sort()).toEqual(['message', 'message', 'refund'])
  const csv = (await by.call('GET', `/balance.csv?campaign_id=${id}`)).text.trim().split('\r\n')
  expect(csv).toHaveLength(1 + 4)

  const other = await service.organisation()
  for (const list of ['/sms', '/balance', '/balance/messages', '/balance.csv', '/balance/messages.csv']) {
    expect((await other.call('GET', `${list}?campaign_id=${id}`)).status).toBe(404)
    expect((await by.call('GET', `${list}?campaign_id=nonsense`)).status).toBe(404)
  }
  expect((await by.call('GET', `/balance?campaign_id=${id}&external_ref=x`)).status).toBe(400)
  expect((await by.call('GET', `/balance?group=kind`)).status).toBe(400)
})

test('recipients that were uploaded, left out or not reached are listed page by page and exported', async () => {
  const by = await service.organisation()
  const twice = Array.from({ length: 2_500 }, () => ({ to: number(1), substitutions: { Name: 'Ada' } }))
  const id = await campaignOf(by, { content: 'Hi {{name|you}}' }, [...twice, { to: 'x' }, { to: LOST[0] }])
  const list = (query: string) => by.call<Recipients>('GET', `/campaigns/${id}/recipients?${query}`)
  expect((await list('outcome=uploaded&limit=1')).body.recipients).toEqual([
    { recipient: number(1), substitutions: { name: 'Ada' } },
  ])
  await sent(by, id)
  const left_out: unknown[] = []
  let query_id: string | undefined = '0'
  while (query_id !== undefined) {
    const { body }: { body: Recipients } = await list(`outcome=left_out&limit=1000&query_id=${query_id}`)
    left_out.push(...body.recipients)
    query_id = body.meta.pagination.query_id
  }
  expect(left_out).toHaveLength(2_500)
  expect((await list('outcome=left_out&reason=bad_number')).body.recipients).toEqual([
    { recipient: 'x', reason: 'bad_number' },
  ])
  const failed = await until('the failure to be counted', async () => {
    const { body } = await list('outcome=failed')
    return body.recipients.length > 0 && body.recipients
  })
  expect(failed).toEqual([
    {
      recipient: LOST[0],
      status: 'undelivered',
      code: '004',
      description: 'invalid or inactive number',
      advice: expect.stringContaining('Check the number'),
      message_id: expect.any(String),
    },
  ])
  const lines = async (query: string) =>
    (await by.call('GET', `/campaigns/${id}/report.csv${query}`)).text.trim().split('\r\n')
  expect([(await lines('?outcome=failed')).length, (await lines('?outcome=left_out')).length]).toEqual([2, 2_501])
  for (const wrong of ['outcome=all', 'outcome=failed&reason=x', 'outcome=failed&query_id=bm8']) {
    expect((await list(wrong)).status).toBe(400)
  }
})

test('a copy has the content and the recipients of a campaign, once per idempotency key', async () => {
  const by = await service.organisation()
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  const recipients = [{ to: number(1), substitutions: { name: 'Ada' } }]
  const id = await campaignOf(by, { content: 'Hi {{name}}', name: 'A'.repeat(100), send_at }, recipients)
  const copy = (key: string) =>
    by.call<Campaign>('POST', `/campaigns/${id}/copy`, undefined, { 'idempotency-key': key })
  const [first, again, other] = [await copy('a'), await copy('a'), await copy('b')]
  expect([again.body.id === first.body.id, other.body.id === first.body.id]).toEqual([true, false])
  expect(first.body).toMatchObject({ status: 'draft', uploaded: 1, texts: [{ content: 'Hi {{name}}' }] })
  expect([first.body.name.length, first.body.send_at]).toEqual([100, undefined])
  expect((await estimated(by, first.body.id)).estimate?.samples[0]?.text).toBe('Hi Ada')
  const draft = await by.call<Campaign>('POST', '/campaigns', {
    is_incomplete: true,
    content: 'Half',
    pace_per_hour: 10,
  })
  const half = await by.call<Campaign>('POST', `/campaigns/${draft.body.id}/copy`)
  expect(half.body).toMatchObject({ is_incomplete: true, texts: [{ content: 'Half' }] })
  expect((await service.organisation()).id).not.toBe(by.id)
})

test('recipients whose delivery failed are resent once, however often that is requested', async () => {
  const by = await service.organisation()
  const people = [...LOST, number(1), number(2)].map((to, n) => ({ to, substitutions: { name: `Ada ${n}` } }))
  const id = await campaignOf(by, { texts: [{ content: 'Hi {{name}}' }, { content: 'Yo {{name}}' }] }, people)
  expect((await by.call('POST', `/campaigns/${id}/resend`)).status).toBe(409)
  await sent(by, id)
  const balance = (await by.call<{ balance: number }>('GET', '/balance')).body.balance
  const resend = () => by.call<Campaign>('POST', `/campaigns/${id}/resend`)
  const answers = await Promise.all(Array.from({ length: 8 }, resend))
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
  const draft = answers[0]?.body
  expect(draft).toMatchObject({ status: 'draft', resend_of: id, uploaded: LOST.length })
  const { id: own = '' } = draft ?? {}
  const { estimate } = await estimated(by, own)
  expect(estimate?.samples.map(({ text }) => text).sort()).toEqual(
    expect.arrayContaining([expect.stringMatching(/^(Hi|Yo) Ada [012]$/)]),
  )
  // Starting it from two windows charges it once.
  const start = { people: estimate?.people, charge: estimate?.charge }
  await Promise.all([1, 2].map(() => by.call('POST', `/campaigns/${own}/start`, start)))
  await reached(by, own, 'finished')
  expect((await by.call<{ balance: number }>('GET', '/balance')).body.balance).toBe(balance - 4 * LOST.length)
  expect((await resend()).body.id).toBe(own)
  expect(await auditMoney(service.db)).toEqual([])

  const good = await campaignOf(by, { content: 'Hi' }, [{ to: number(5) }])
  await sent(by, good)
  const none = await by.call<{ message: string }>('POST', `/campaigns/${good}/resend`)
  expect([none.status, none.body.message]).toEqual([409, 'No delivery of the campaign failed.'])
  const left = await service.db`select 1 from campaigns where organisation_id = ${by.id} and resend_of = ${good}`
  expect(left).toHaveLength(0)
  expect((await (await service.organisation()).call('POST', `/campaigns/${id}/resend`)).status).toBe(404)
})

test('a resend reads the slices of a long campaign page by page, and keeps their order', async () => {
  const by = await service.organisation({ credit: 1_000 })
  const good = Array.from({ length: 90 }, (_, n) => number(100 + n))
  const everyone = [LOST[0], ...good.slice(0, 45), LOST[1], ...good.slice(45), LOST[2]]
  const people = everyone.map((to, n) => ({ to, substitutions: { name: `Ada ${n}` } }))
  const id = await campaignOf(by, { content: 'Hi {{name}}' }, people)
  await sent(by, id)
  // As if it had been sent slowly: a slice for each recipient.
  await service.db`
    insert into campaign_slices (organisation_id, campaign_id, number, text_number, recipients, people, charge, status,
      message_id, accepted_datetime)
    select organisation_id, campaign_id, 1000 * (number + 1) + n, text_number, jsonb_build_array(person), 1, 0, status,
      message_id, accepted_datetime
    from campaign_slices cross join lateral jsonb_array_elements(recipients) with ordinality as entry (person, n)
    where organisation_id = ${by.id} and campaign_id = ${id}`
  await service.db`
    delete from campaign_slices where organisation_id = ${by.id} and campaign_id = ${id} and number < 1000`
  const { body } = await by.call<Campaign>('POST', `/campaigns/${id}/resend`)
  expect(body).toMatchObject({ status: 'draft', uploaded: LOST.length })
  const parts = await service.db<{ number: number; entries: [string, object][] }[]>`
    select number, entries from campaign_uploads
    where organisation_id = ${by.id} and campaign_id = ${body.id} order by number`
  expect(parts.map(({ number: part }) => part)).toEqual([1, 2, 3])
  expect(parts.flatMap(({ entries }) => entries)).toEqual([0, 46, 92].map((n, at) => [LOST[at], { name: `Ada ${n}` }]))
  await estimated(by, body.id)
})

test('a resend that is canceled can be prepared again', async () => {
  const by = await service.organisation()
  const id = await campaignOf(by, { content: 'Hi' }, [{ to: LOST[0] }])
  await sent(by, id)
  const first = await by.call<Campaign>('POST', `/campaigns/${id}/resend`)
  await by.call('POST', `/campaigns/${first.body.id}/cancel`)
  const second = await by.call<Campaign>('POST', `/campaigns/${id}/resend`)
  expect([second.status, second.body.id === first.body.id]).toEqual([200, false])
})
