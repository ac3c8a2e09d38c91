import { afterAll, beforeAll, expect, test } from 'vitest'
import { topUp } from '../../src/billing/balance.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { campaignOf, estimated, reached, type Campaign, type Report } from '../support/campaign.ts'
import { until } from '../support/until.ts'

let service: TestService
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

const number = (n: number): string => `0803${String(n).padStart(7, '0')}`
const people = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ to: number(n), substitutions: { Name: `Ada ${n}` } }))
const balanceOf = async (by: Organisation) => (await by.call<{ balance: number }>('GET', '/balance')).body.balance

test('a campaign is estimated exactly, confirmed, sent to each recipient once and reported', async () => {
  const by = await service.organisation({ credit: 10_000 })
  await by.call('POST', '/optouts', { recipients: [number(1)] })
  const id = await campaignOf(by, { content: 'Dear {{name}}, hello', name: 'Greeting' })
  const list = [
    ...people(600),
    { to: number(2), substitutions: { name: 'Again' } },
    { to: '12', substitutions: { name: 'Bad' } },
    { to: '', substitutions: {} },
    { to: number(900), substitutions: {} },
    // Not in the GSM alphabet: two pages instead of one.
    { to: number(901), substitutions: { name: 'Ọláńrewájú '.repeat(7) } },
  ]
  const csv = 'Mobile,Name\n08051234567,"Bola, too"'
  const uploaded = await by.call<Campaign>('POST', `/campaigns/${id}/recipients`, { recipients: list })
  expect([uploaded.status, uploaded.body.uploaded]).toEqual([200, 605])
  const upload = (file: string) =>
    by.call<Campaign>('POST', `/campaigns/${id}/recipients`, file, {
      'content-type': 'text/csv',
      'idempotency-key': 'once',
    })
  const [more, retried, other] = [await upload(csv), await upload(csv), await upload(`${csv} `)]
  expect([more.body.uploaded, retried.body.uploaded, other.status]).toEqual([606, 606, 409])

  const draft = await estimated(by, id)
  expect(draft.estimate).toMatchObject({
    is_complete: true,
    rows: 606,
    people: 601,
    charge: 4 * 600 + 8,
    left_out: { opted_out: 1, twice: 1, bad_number: 1, no_number: 1, incomplete: 1 },
    sizes: [
      { encoding: 'GSM', pages: 1, people: 600, charge: 2_400 },
      { encoding: 'UCS-2', pages: 2, people: 1, charge: 8 },
    ],
  })
  expect(draft.estimate?.samples[0]).toMatchObject({ text: 'Dear Ada 0, hello', pages: 1, charge: 4 })
  expect(draft.estimate?.samples.at(-1)).toMatchObject({ recipient: '2348030000901', encoding: 'UCS-2', pages: 2 })

  const seen = { people: 601, charge: 2_408 }
  const wrong = await by.call<{ errors: { field: string }[] }>('POST', `/campaigns/${id}/start`, {
    ...seen,
    people: 600,
  })
  expect([wrong.status, wrong.body.errors.map(({ field }) => field)]).toEqual([409, ['people']])
  const [first, again] = await Promise.all([
    by.call('POST', `/campaigns/${id}/start`, seen),
    by.call('POST', `/campaigns/${id}/start`, seen),
  ])
  expect([first.status, again.status]).toEqual([200, 200])
  const done = await reached(by, id, 'finished')
  expect(done.progress).toEqual({ accepted: 601, charge: 2_408, dropped: 0, taken_back: 0, given_back: 0 })
  expect(await balanceOf(by)).toBe(10_000 - 2_408)

  const report = await until('all to be delivered', async () => {
    const { body } = await by.call<Report>('GET', `/campaigns/${id}/report`)
    return body.outcomes.delivered === 601 && body
  })
  expect(report).toMatchObject({ people: 601, outcomes: { delivered: 601 }, charge: 2_408, refunded: 0, failures: [] })
  expect(report.operators[0]).toMatchObject({ operator: 'MTN', delivered: expect.any(Number) })
  expect(report.hours.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(601)
  const exported = (await by.call('GET', `/campaigns/${id}/report.csv`)).text.trim().split('\r\n')
  expect(exported).toHaveLength(1 + 601 + 5)
  expect(exported.filter((line) => line.includes(',delivered,'))).toHaveLength(601)
  expect(exported.filter((line) => line.includes('left_out,opted_out'))).toHaveLength(1)
  expect((await by.call('PATCH', `/campaigns/${id}`, { name: 'Late' })).status).toBe(409)
  expect((await by.call('POST', `/campaigns/${id}/cancel`)).status).toBe(409)
})

test('the report lists failures by the code of the carrier, with its meaning and advice', async () => {
  const by = await service.organisation()
  const lost = ['2348000000001', '2348000000002', '2348000000004', '2348000000004'].map((to) => ({ to }))
  const id = await campaignOf(by, { content: 'Hello' }, lost)
  const { estimate } = await estimated(by, id)
  await by.call('POST', `/campaigns/${id}/start`, { people: estimate?.people, charge: estimate?.charge })
  const { failures } = await until('all to be reported', async () => {
    const { body } = await by.call<Report>('GET', `/campaigns/${id}/report`)
    return body.failures.length === 3 && body
  })
  expect(failures.find(({ code }) => code === '027')?.advice).toBe('The phone was off or out of coverage: retry later.')
  expect(failures.map(({ outcome, code, description }) => `${outcome} ${code}: ${description}`).sort()).toEqual([
    'expired 027: absent subscriber',
    'undelivered 004: invalid or inactive number',
    'undelivered 008: subscriber on DND',
  ])
})

test('the filters beside a smartlist count, and a change of the list or the draft makes the estimate stale', async () => {
  const by = await service.organisation()
  const rows = Array.from({ length: 20 }, (_, n) => ({ columns: { Name: n < 5 ? 'In' : 'Out', Mobile: number(n) } }))
  await by.call('POST', '/lists/contact/rows/bulk', { rows })
  const list = await by.call<{ id: string }>('POST', '/lists/contact/smartlists', { name: 'All', filters: [] })
  const one_of = ['In', 'Nobody'].map((value) => ({ name: 'Name', operator: 'equal', value }))
  const filters = [{ any: one_of }]
  const id = await campaignOf(by, { smartlist_id: list.body.id, filters, content: 'Hello {{Name}}' })
  const seen = { people: 5, charge: 20 }
  expect((await estimated(by, id)).estimate).toMatchObject({ ...seen, left_out: {} })
  await by.call('PATCH', `/lists/contact/smartlists/${list.body.id}`, { name: 'Everybody' })
  const stale = await by.call<{ message: string }>('POST', `/campaigns/${id}/start`, seen)
  expect([stale.status, stale.body.message]).toEqual([409, expect.stringMatching(/smartlist was changed/)])
  await estimated(by, id)
  const changed = await by.call<Campaign>('PATCH', `/campaigns/${id}`, { content: 'Bye {{Name}}' })
  expect([changed.status, changed.body.status, changed.body.estimate]).toEqual([200, 'draft', undefined])
  expect((await by.call('POST', `/campaigns/${id}/start`, seen)).status).toBe(409)
  expect((await estimated(by, id)).estimate?.samples[0]?.text).toBe('Bye In')
  expect((await by.call('POST', `/campaigns/${id}/start`, seen)).status).toBe(200)
  expect((await reached(by, id, 'finished')).progress).toMatchObject({ accepted: 5, charge: 20 })
})

test('a scheduled campaign can be read and canceled, and then costs nothing', async () => {
  const by = await service.organisation()
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  const id = await campaignOf(by, { content: 'Later', send_at }, people(3))
  const { estimate } = await estimated(by, id)
  const seen = { people: estimate?.people, charge: estimate?.charge }
  expect((await by.call<Campaign>('POST', `/campaigns/${id}/start`, seen)).body.status).toBe('scheduled')
  const listed = await by.call<{ campaigns: Campaign[] }>('GET', '/campaigns?status=scheduled')
  expect(listed.body.campaigns).toMatchObject([{ id, send_at: expect.stringMatching(/^20.*\+00:00$/) }])
  expect((await by.call<Campaign>('POST', `/campaigns/${id}/pause`)).body.status).toBe('paused')
  expect((await by.call<Campaign>('POST', `/campaigns/${id}/resume`)).body.status).toBe('scheduled')
  const canceled = await by.call<Campaign>('POST', `/campaigns/${id}/cancel`)
  expect([canceled.status, canceled.body.status]).toEqual([200, 'canceled'])
  expect((await by.call('POST', `/campaigns/${id}/cancel`)).status).toBe(200)
  expect(await balanceOf(by)).toBe(1_000)
})

test('a campaign whose balance runs out is paused with that reason, and resumes after a top-up', async () => {
  const by = await service.organisation({ credit: 40 })
  // One slice per recipient: at this pace a slice of one minute has one recipient.
  const id = await campaignOf(by, { content: 'Hello', pace_per_hour: 60 }, people(3))
  const { estimate } = await estimated(by, id)
  expect(estimate).toMatchObject({ people: 3, charge: 12 })
  await by.call('POST', '/sms/send', { recipients: people(9).map(({ to }) => to), content: 'Drain' })
  const refused = await by.call<{ errors: object[] }>('POST', `/campaigns/${id}/start`, { people: 3, charge: 12 })
  expect([refused.status, refused.body.errors]).toMatchObject([402, [{ type: 'insufficient_balance' }]])

  await service.db`update campaigns set charge = 0 where organisation_id = ${by.id} and id = ${id}`
  expect((await by.call('POST', `/campaigns/${id}/start`, { people: 3, charge: 0 })).status).toBe(200)
  const hurry = () => service.db`update campaigns set next_at = null where organisation_id = ${by.id} and id = ${id}`
  const nudge = () =>
    service.db`update jobs set run_at = now() where organisation_id = ${by.id} and queue = 'campaigns'`
  await until('the first to be accepted', async () => {
    const { body } = await by.call<Campaign>('GET', `/campaigns/${id}`)
    return body.progress.accepted === 1
  })
  await hurry()
  await nudge()
  const paused = await reached(by, id, 'paused')
  expect(paused).toMatchObject({ pause_reason: 'insufficient_balance', progress: { accepted: 1, charge: 4 } })
  expect(await balanceOf(by)).toBe(0)
  await topUp({ db: service.db }, by.id, 100_0000n)
  expect((await by.call<Campaign>('POST', `/campaigns/${id}/resume`)).body.status).toBe('running')
  await until('all to be sent', async () => {
    await hurry()
    await nudge()
    return (await by.call<Campaign>('GET', `/campaigns/${id}`)).body.status === 'finished'
  })
  expect(await balanceOf(by)).toBe(100 - 8)
})

test('a key without the scope lists cannot create a campaign to a smartlist; campaigns of other organisations are not found', async () => {
  const by = await service.organisation()
  const list = await by.call<{ id: string }>('POST', '/lists/contact/smartlists', { name: 'All', filters: [] })
  const narrow = await service.organisation({ of: by, scopes: ['sms'] })
  const body = { smartlist_id: list.body.id, content: 'x' }
  expect((await narrow.call('POST', '/campaigns', body)).status).toBe(403)
  const id = await campaignOf(by, body)
  const other = await service.organisation()
  for (const path of ['estimate', 'start', 'pause', 'resume', 'cancel']) {
    const asked = path === 'start' ? { people: 0, charge: 0 } : undefined
    expect((await other.call('POST', `/campaigns/${id}/${path}`, asked)).status).toBe(404)
  }
  expect((await other.call('GET', `/campaigns/${id}/report`)).status).toBe(404)
})

test('all errors of a campaign are reported together', async () => {
  const by = await service.organisation()
  const wrong = await by.call<{ errors: { field: string; type: string }[] }>('POST', '/campaigns', {
    texts: [
      { content: '', share: 50 },
      { content: 'B', share: 40 },
    ],
    channel: 'pigeon',
    quiet_from: '21:00',
    send_at: 'soon',
    pace_per_hour: 0,
    filters: [{ name: 'Name', operator: 'equal', value: 'x' }],
  })
  expect(wrong.status).toBe(400)
  expect(wrong.body.errors.map(({ field, type }) => `${field} ${type}`).sort()).toEqual([
    'channel enum',
    'filters invalid',
    'pace_per_hour greater_than_equal',
    'quiet_until missing',
    'send_at date_invalid',
    'texts invalid',
    'texts[0].content string_too_short',
  ])
  const key = { 'idempotency-key': 'one' }
  const first = await by.call('POST', '/campaigns', { content: 'A' }, key)
  expect((await by.call('POST', '/campaigns', { content: 'A' }, key)).text).toBe(first.text)
  expect((await by.call('POST', '/campaigns', { content: 'B' }, key)).status).toBe(409)
  const empty = await by.call('POST', `/campaigns/${String(first.body.id)}/estimate`)
  expect(empty.status).toBe(409)
})

test('a campaign without a name or texts is rejected', async () => {
  const by = await service.organisation()
  const wrong = await by.call<{ errors: { field: string }[] }>('POST', '/campaigns', { name: 'a\u0000', texts: [null] })
  expect(wrong.status).toBe(400)
  expect(wrong.body.errors.map(({ field }) => field)).toEqual(expect.arrayContaining(['name', 'texts[0]']))
  const many = await by.call<{ errors: object[] }>('POST', '/campaigns', { texts: Array.from({ length: 10_000 }) })
  expect(many.status).toBe(400)
  expect(many.body.errors[0]).toMatchObject({ field: 'texts', type: 'less_than_equal' })
  const id = await campaignOf(by, { content: 'Hello' }, [{ to: '2348031234567' }])
  for (const text of [{ toString: 1 }, 0, 2]) {
    expect((await by.call('POST', `/campaigns/${id}/test`, { recipients: '2348031234567', text })).status).toBe(400)
  }
})

test('a test message goes to the given number, with the values of the first recipient', async () => {
  const by = await service.organisation()
  const id = await campaignOf(by, { texts: [{ content: 'A {{name}}' }, { content: 'B {{name}}' }] }, people(2))
  const sent = await by.call('POST', `/campaigns/${id}/test`, { recipients: '08099999999', text: 2 })
  expect([sent.status, sent.body]).toMatchObject([200, { content: 'B Ada 0', recipients: ['2348099999999'] }])
  const many = await by.call('POST', `/campaigns/${id}/test`, { recipients: people(6).map(({ to }) => to), text: 3 })
  expect(many.body.errors).toMatchObject([{ field: 'recipients' }, { field: 'text' }])
})

test('several texts go to their shares, and the winner is reported when it leads significantly', async () => {
  const by = await service.organisation({ credit: 10_000 })
  const content = (name: string) => ({ content: `${name} https://example.com/x` })
  const id = await campaignOf(by, { texts: [content('A'), content('B')], is_trackable: true }, people(300))
  const { estimate } = await estimated(by, id)
  const shares = estimate?.sizes.map(({ people: count }) => count) ?? []
  expect(shares).toHaveLength(2)
  for (const share of shares) expect(share).toBeGreaterThan(100)
  await by.call('POST', `/campaigns/${id}/start`, { people: estimate?.people, charge: estimate?.charge })
  await reached(by, id, 'finished')
  const links = await service.db<{ code: string }[]>`
    select links.code from links join deliveries using (organisation_id, message_id, recipient)
    where organisation_id = ${by.id} and text like 'B%' limit 60`
  const as_person = { 'user-agent': 'Mozilla/5.0 (Linux; Android 14) Chrome/120 Mobile' }
  for (const { code } of links) await fetch(`${service.url}/l/${code}`, { headers: as_person, redirect: 'manual' })
  const report = await until('the winner', async () => {
    // Results are counted once a minute.
    await service.db`
      update campaign_slices set count_at = now() where organisation_id = ${by.id} and campaign_id = ${id}`
    await service.db`
      update jobs set run_at = now() where organisation_id = ${by.id} and queue = 'campaigns:count' and not leased`
    const { body } = await by.call<Report>('GET', `/campaigns/${id}/report`)
    return body.winner !== undefined && body
  })
  expect(report.winner).toBe(2)
  expect(report.texts.reduce((sum, { people: count }) => sum + count, 0)).toBe(300)
})

test('nothing is sent in the quiet hours of a recipient', async () => {
  const by = await service.organisation()
  const hour = (plus: number): string => {
    const at = new Intl.DateTimeFormat('en-GB', { timeZone: 'Africa/Lagos', hour: '2-digit', hourCycle: 'h23' })
    return `${at.format(Date.now() + plus * 3_600_000).padStart(2, '0')}:00`
  }
  // It is quiet in Lagos now, and not six hours to the west or east of it.
  const quiet = { quiet_from: hour(-1), quiet_until: hour(2) }
  const list = [{ to: '+2348031234567' }, { to: '+60123456789' }]
  const id = await campaignOf(by, { content: 'Hello', ...quiet }, list)
  const { estimate } = await estimated(by, id)
  await by.call('POST', `/campaigns/${id}/start`, { people: estimate?.people, charge: estimate?.charge })
  await until('the message to be sent', async () => {
    const { body } = await by.call<Campaign>('GET', `/campaigns/${id}`)
    return body.progress.accepted === 1 && body.outcomes?.delivered === 1
  })
  const handsets = await by.call<{ messages: { recipient: string }[] }>('GET', '/sandbox/messages')
  expect(handsets.body.messages.map(({ recipient }) => recipient)).toEqual(['60123456789'])
  await by.call('POST', `/campaigns/${id}/cancel`)
})
