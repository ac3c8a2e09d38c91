import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExplainedDelivery, ExplainedEstimate, Explanation } from '../../src/explain/schema.ts'
import { pause } from '../../src/messaging/pauses/pause.ts'
import { COMMAND_LINE } from '../../src/users/audit.ts'
import { ERASED } from '../../src/values/secrets/pseudonym.ts'
import { campaignOf, estimated, reached } from '../support/campaign.ts'
import { claimAll, putOff, taken, writeOutcomes } from '../support/intake.ts'
import { person, type Person } from '../support/person.ts'
import { openService, type Answer, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

type Refused = { errors: { field: string; type: string }[] }
type Explained = Explanation & Refused & { meta: { pagination: { count_total: number; next_page: string } } }
type Estimated = { explanations?: ExplainedEstimate[] }

const CARRIERS = [
  { kind: 'simulator', name: 'main-carrier', report_delay_ms: 20 },
  { kind: 'simulator', name: 'spare-carrier', report_delay_ms: 20 },
]
const ROUTES = [
  { name: 'nigeria', channel: 'sms', prefix: '234', carriers: ['main-carrier', 'spare-carrier'] },
  { name: 'ads', channel: 'sms', prefix: '234', class: 'promotional', carrier: 'spare-carrier' },
  { name: 'kenya', channel: 'sms', prefix: '254', carrier: 'main-carrier' },
  { name: 'chat', channel: 'whatsapp', carrier: 'main-carrier' },
]
const PRICES = [
  { channel: 'sms', prefix: '', price: 35 },
  { channel: 'sms', prefix: '234', price: 4 },
  { channel: 'sms', prefix: '234', class: 'promotional', price: 3 },
  { channel: 'whatsapp', prefix: '', price: 6 },
]
const SETTINGS = { carriers: CARRIERS, routes: ROUTES, prices: PRICES }
const MTN = '2348031234567'
const GLO = '2348051234567'

/** Its messages are submitted by the tests. */
let service: TestService
let operator: Person
beforeAll(async () => {
  service = await openService({ workers: false, settings: SETTINGS })
  operator = await person(service, null)
})
afterAll(() => service?.close())

const explain = (by: Pick<Organisation, 'call'>, id: string, query = '') =>
  by.call<Explained>('GET', `/sms/${id}/explain${query}`)

async function explained(by: Pick<Organisation, 'call'>, id: string, query = ''): Promise<ExplainedDelivery> {
  const { status, body, text } = await explain(by, id, query)
  expect([status, text]).toEqual([200, expect.any(String)])
  return body.deliveries[0]!
}

const asOperator = ({ id }: Organisation): Pick<Organisation, 'call'> => ({
  call: (method, path) => operator.call(method, path, undefined, { 'x-organisation-id': id }),
})

async function send(by: Organisation, body: object = {}): Promise<string> {
  const sent = await by.call<{ id: string }>('POST', '/sms/send', { recipients: [MTN], content: 'Hello', ...body })
  expect([sent.status, sent.text]).toEqual([200, expect.any(String)])
  return sent.body.id
}

/** Submits what an organisation has in the intake. */
async function submit(by: Organisation): Promise<void> {
  for (const { route, granted } of await claimAll(service.db, by.id)) {
    await writeOutcomes(service.db, route, { sent: granted.map((one) => taken(one)) })
  }
}

async function postpone(by: Organisation): Promise<void> {
  for (const { route, granted } of await claimAll(service.db, by.id)) {
    const unsent = granted.map((delivery) => ({ ...putOff(delivery, route), delay_ms: 600_000, attempts: 2 }))
    await writeOutcomes(service.db, route, { unsent })
  }
}

async function priceList(name: string, by: Organisation, prices: object[]): Promise<void> {
  const path = '/console/api/price-lists'
  expect((await operator.call('POST', path, { name })).status).toBe(200)
  for (const [version, price] of prices.entries()) await set(name, version, price)
  await operator.call('POST', `/console/api/organisations/${by.id}/price-list`, { price_list: name })
}

async function set(name: string, version: number, price: object): Promise<void> {
  const body = { version, channel: 'sms', ...price }
  expect(await operator.call('POST', `/console/api/price-lists/${name}/rules`, body)).toMatchObject({ status: 200 })
}

async function charges(by: Organisation, charge: number): Promise<void> {
  type Priced = { meta?: { estimate: { charge: number } } }
  await until(`a charge of ${charge}`, async () => {
    const { body } = await by.call<Priced>('POST', '/sms/estimate', { recipients: [MTN], content: 'Hello' })
    return body.meta?.estimate.charge === charge
  })
}

describe('the text', () => {
  test.each([
    ['Hello', { encoding: 'GSM', message_length: 5, pages: 1, page_size: 160 }],
    ['€'.repeat(81), { encoding: 'GSM', message_length: 162, pages: 2, page_size: 153 }],
    [
      `Pay ₦500 😀 ${'a'.repeat(69)}`,
      {
        encoding: 'UCS-2',
        message_length: 81,
        pages: 2,
        page_size: 67,
        gsm_pages: 1,
        forcing_characters: [
          { character: '₦', code_point: 'U+20A6', position: 4, occurrences: 1 },
          { character: '😀', code_point: 'U+1F600', position: 9, occurrences: 1 },
        ],
      },
    ],
  ])('of %s has its encoding, pages, and the characters that force UCS-2', async (content, text) => {
    const by = await service.organisation()
    const id = await send(by, { content })
    // In the intake, and once it is stored.
    expect((await explained(by, id)).text).toMatchObject({ ...text, is_stored: true })
    await submit(by)
    expect((await explained(by, id)).text).toMatchObject({ ...text, is_stored: true })
    const { body } = await by.call<Estimated>('POST', '/sms/estimate', { recipients: [MTN], content, explain: true })
    expect(body.explanations?.[0]?.text).toMatchObject(text)
  })

  test('that is not stored any more leaves its character unknown', async () => {
    const by = await service.organisation()
    const id = await send(by, { content: 'Pay ₦500' })
    await submit(by)
    await service.db`update messages set content = null where id = ${id}`
    const { text, sentences } = await explained(by, id)
    expect(text).toEqual({ encoding: 'UCS-2', pages: 1, is_stored: false })
    expect(sentences).toContain('Its encoding was UCS-2; which character forced it is unknown.')
  })

  test('of each recipient is explained for itself, page by page or by number in any spelling', async () => {
    const by = await service.organisation()
    const template = await by.call<{ id: string }>('POST', '/templates', { name: 'Hi', content: 'Hi {{name}}' })
    const id = await send(by, {
      recipients: [MTN, GLO],
      content: undefined,
      template_id: template.body.id,
      personalisation: [
        { to: MTN, substitutions: { name: 'Ada' } },
        { to: GLO, substitutions: { name: 'Şọla' } },
      ],
    })
    const all = await explain(by, id)
    expect(all.body.deliveries.map(({ recipient, text }) => [recipient, text.encoding])).toEqual([
      [MTN, 'GSM'],
      [GLO, 'UCS-2'],
    ])
    const second = await explain(by, id, '?limit=1&page=2')
    expect(second.body.deliveries.map(({ recipient }) => recipient)).toEqual([GLO])
    expect(second.body.meta.pagination).toMatchObject({ count_total: 2, next_page: 'False' })
    const one = await explain(by, id, '?recipient=0805%20123%204567')
    expect(one.body.deliveries.map(({ recipient }) => recipient)).toEqual([GLO])
    expect(one.body.deliveries[0]?.text.forcing_characters?.map(({ character }) => character)).toEqual(['Ş', 'ọ'])
  })
})

describe('the price', () => {
  test('of the configuration file names its line and the less specific one', async () => {
    const by = await service.organisation()
    const { price, sentences } = await explained(by, await send(by))
    expect(price).toEqual({
      charge: 4,
      price: 4,
      source: 'file',
      rule: { channel: 'sms', prefix: '234', price: 4 },
      other_rules: [
        { channel: 'sms', prefix: '234', route_class: 'promotional', price: 3, result: 'other_class' },
        { channel: 'sms', prefix: '', price: 35, result: 'less_specific' },
      ],
    })
    expect(sentences).toContain('The charge is 4, at 4 per page.')
    expect(sentences).toContain(
      'The price is that of the configuration file for prefix 234: the most specific one that matches.',
    )
    expect(sentences).toContain('Less specific rules did not apply: any number at 35.')
  })

  test('of the configuration file is said to be unknown once no line has it', async () => {
    const by = await service.organisation()
    const id = await send(by)
    await service.reload({ ...SETTINGS, prices: [{ channel: 'sms', prefix: '', price: 5 }] })
    const { price, sentences } = await explained(by, id)
    await service.reload(SETTINGS)
    expect(price).toEqual({ charge: 4, price: 4, source: 'file', other_rules: [] })
    expect(sentences.join(' ')).toContain('which one is unknown')
  })

  test('of a price list is that of the moment of acceptance, with why the other rules did not apply', async () => {
    const by = await service.organisation()
    await priceList('first', by, [
      { price: 9 },
      { prefix: '234', price: 7 },
      { prefix: '234', operator: 'Glo', price: 6 },
      { prefix: '2348031', route_class: 'promotional', price: 5 },
    ])
    await charges(by, 7)
    const id = await send(by)
    await set('first', 4, { prefix: '2348031', price: 1 })
    await set('first', 5, { prefix: '234', price: 8 })
    await charges(by, 1)
    const after = await explained(by, id)
    const target = { channel: 'sms', valid_from: expect.any(String) }
    expect(after.price).toEqual({
      charge: 7,
      price: 7,
      source: 'price_list',
      rule: { ...target, prefix: '234', price: 7 },
      other_rules: [
        { ...target, prefix: '2348031', route_class: 'promotional', price: 5, result: 'other_class' },
        { ...target, prefix: '234', operator: 'Glo', price: 6, result: 'other_operator' },
        { ...target, prefix: '', price: 9, result: 'less_specific' },
      ],
    })
    expect(after.sentences).toContain(
      'The price is that of the rule for prefix 234: the most specific one that matched.',
    )
    expect(after.sentences).toContain('Rules for other operators did not apply: prefix 234, operator Glo at 6.')

    const now = await by.call<Estimated>('POST', '/sms/estimate', {
      recipients: [MTN],
      content: 'Hello',
      explain: true,
    })
    expect(now.body.explanations?.[0]?.price).toMatchObject({ charge: 1, rule: { prefix: '2348031', price: 1 } })

    const shown = await explained(asOperator(by), id)
    expect(shown.price).toMatchObject({ price_list: 'first', rule_id: expect.any(Number), rule: { price: 7 } })
    expect(shown.sentences.join(' ')).toContain('of the price list first, for prefix 234')

    await operator.call('POST', `/console/api/organisations/${by.id}/price-list`, { price_list: null })
    await operator.call('DELETE', '/console/api/price-lists/first')
    const gone = await explained(by, id)
    expect(gone.price).toEqual({ charge: 7, price: 7, source: 'price_list', other_rules: [] })
    expect(gone.sentences).toContain('The price list that it was charged by was deleted, so that its rule is unknown.')
  })

  test('of a promotional message is that of its class', async () => {
    const by = await service.organisation()
    const delivery = await explained(by, await send(by, { route_class: 'promotional' }))
    expect(delivery.route).toEqual({
      result: 'matched',
      name: 'ads',
      channel: 'sms',
      prefix: '234',
      route_class: 'promotional',
    })
    expect(delivery.price).toMatchObject({ charge: 3, rule: { route_class: 'promotional' } })
  })

  test('of a recipient who has opted out is nothing', async () => {
    const by = await service.organisation()
    await by.call('POST', '/optouts', { recipients: [MTN] })
    const id = await send(by)
    const { price, route, carriers, refund } = await explained(by, id)
    expect([price, route, carriers, refund]).toEqual([
      { charge: 0, price: 0, source: 'none', other_rules: [] },
      { result: 'opted_out' },
      [],
      { refunded: false, reason: 'not_charged' },
    ])
  })
})

describe('the route and its carriers', () => {
  test('are named to operators, and to customers without the names of carriers', async () => {
    const by = await service.organisation()
    const id = await send(by)
    const own = await explained(by, id)
    expect(own.route).toMatchObject({ result: 'matched', name: 'nigeria', prefix: '234' })
    expect(own.carriers).toEqual([
      { place: 1, result: 'waiting' },
      { place: 2, result: 'untried' },
    ])
    expect(own.waits).toEqual({ reason: expect.stringMatching(/^(due|waiting)$/), attempts: 0 })
    const shown = await explained(asOperator(by), id)
    expect(shown.carriers).toEqual([
      { place: 1, carrier: 'main-carrier', result: 'waiting' },
      { place: 2, carrier: 'spare-carrier', result: 'untried' },
    ])
    expect(shown.sentences).toContain('Carrier 1 of 2, main-carrier: makes the next attempt.')
  })

  test('of a message in its states never tell a customer or a viewer the name of a carrier', async () => {
    const by = await service.organisation()
    const viewer = await person(service, by.id, by.id, 'viewer')
    const id = await send(by)
    await pause(
      service,
      COMMAND_LINE,
      { kind: 'carrier', name: 'main-carrier' },
      { mode: 'paused', reason: 'of main-carrier' },
    )
    const answers: Answer[] = []
    const look = async (): Promise<void> => {
      const estimate = { recipients: [MTN], content: 'Hello', explain: true }
      answers.push(await explain(by, id), await explain(viewer, id), await by.call('POST', '/sms/estimate', estimate))
    }
    await look()
    await postpone(by)
    await look()
    for (const carrier of ['main-carrier', 'spare-carrier', 'former-carrier']) {
      for (const status of ['sent', 'delivered', 'unknown', 'rejected', 'failed'] as const) {
        await service.db`
          update deliveries set status = ${status}, carrier = ${carrier}, tried = array['main-carrier'],
            sent_datetime = now(), updated_datetime = now(), code = '00a', description = 'restricted', refunded = false
          where message_id = ${id}`
        await look()
      }
    }
    await service.db`delete from operator_pauses`
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(answers.length).toBeGreaterThan(40)
    expect(answers.filter(({ text }) => /(main|spare|former)-carrier/.test(text))).toEqual([])
    const shown = await explain(asOperator(by), id)
    expect(shown.text).toMatch(/main-carrier/)
    expect(shown.text).toMatch(/former-carrier/)
  })

  test('say why a message waits, and with an estimate which carrier is paused', async () => {
    const by = await service.organisation()
    const id = await send(by)
    await pause(
      service,
      COMMAND_LINE,
      { kind: 'carrier', name: 'main-carrier' },
      { mode: 'paused', reason: 'maintenance' },
    )
    const body = { recipients: [MTN], content: 'Hello', explain: true }
    const { explanations } = (await by.call<Estimated>('POST', '/sms/estimate', body)).body
    // What holds messages is cached for two seconds.
    await expect
      .poll(async () => (await explained(by, id)).waits, { timeout: 10_000 })
      .toMatchObject({ reason: 'paused' })
    const waits = await explained(by, id)
    const detailed = await explained(asOperator(by), id)
    await service.db`delete from operator_pauses`
    expect(explanations?.[0]?.carriers).toEqual([
      { place: 1, result: 'paused' },
      { place: 2, result: 'first' },
    ])
    expect(waits.waits).toEqual({ reason: 'paused', attempts: 0 })
    expect(detailed.waits).toMatchObject({ reason: 'paused', attempts: 0 })
    expect(waits.sentences).toContain('It waits, because its route or its carrier is paused.')
    expect(detailed.waits?.detail).toContain('maintenance')
  })

  test('are those that are stored: who rejected it, who was skipped, and what was answered', async () => {
    const by = await service.organisation()
    const operators = asOperator(by)
    const id = await send(by)
    await submit(by)
    await service.db`
      update deliveries set carrier = 'spare-carrier', tried = array['main-carrier'], status = 'undelivered', code = '027',
        description = 'absent subscriber', updated_datetime = now()
      where message_id = ${id}`
    const rejected = await explained(operators, id)
    expect(rejected.carriers.map(({ result }) => result)).toEqual(['rejected', 'accepted'])
    expect(rejected.attempts).toMatchObject([
      { place: 1, carrier: 'main-carrier', result: 'moved_on' },
      { place: 2, carrier: 'spare-carrier', result: 'accepted', created_datetime: expect.any(String) },
      { place: 2, result: 'undelivered', code: '027', description: 'absent subscriber', advice: expect.any(String) },
    ])
    expect(rejected.refund).toEqual({ refunded: false, reason: 'accepted' })
    expect(rejected.sentences).toContain(
      'The charge stays: what a carrier takes is charged, whether it arrives or not.',
    )
    await service.db`update deliveries set tried = null where message_id = ${id}`
    expect((await explained(by, id)).carriers.map(({ result }) => result)).toEqual(['skipped', 'accepted'])
    await service.db`
      update deliveries set carrier = null, sent_datetime = null, status = 'rejected', refunded = true, code = '00a'
      where message_id = ${id}`
    const unknown = await explained(by, id)
    expect(unknown.carriers.map(({ result }) => result)).toEqual(['unknown', 'unknown'])
    expect(unknown.refund).toEqual({ refunded: true, reason: 'rejected', amount: 4 })
  })

  test('that the configuration does not have any more are said so', async () => {
    const by = await service.organisation()
    const id = await send(by)
    await submit(by)
    await service.db`update deliveries set route = 'kenya' where message_id = ${id}`
    expect((await explained(by, id)).route).toMatchObject({ result: 'differs', name: 'kenya', prefix: '254' })
    await service.db`update deliveries set route = 'ghana' where message_id = ${id}`
    const { route, sentences } = await explained(by, id)
    expect(route).toEqual({ result: 'not_configured', name: 'ghana' })
    expect(sentences).toContain('The route was ghana, which is not configured any more.')
  })
})

test('of an erased person is explained by what does not depend on the number', async () => {
  const by = await service.organisation()
  const pseudonym = `${ERASED}${'0'.repeat(32)}`
  await priceList('erased', by, [
    { channel: 'sms', prefix: '234', price: 7 },
    { channel: 'sms', prefix: '', price: 9 },
  ])
  const priced = await send(by)
  await operator.call('POST', `/console/api/organisations/${by.id}/price-list`, { price_list: null })
  const in_file = await send(by)
  await submit(by)
  await service.db`
    update deliveries set recipient = ${pseudonym} where organisation_id = ${by.id} and recipient = ${MTN}`
  const delivery = await explained(by, in_file)
  expect(delivery.recipient).toBe(pseudonym)
  expect(delivery.price).toEqual({ charge: 4, price: 4, source: 'file', other_rules: [] })
  expect(delivery.route).toMatchObject({ result: 'erased', name: 'nigeria', prefix: '234' })
  expect(delivery.sentences).toContain('Whether it matched the number is unknown, because the person was erased.')
  expect((await explained(by, priced)).price).toMatchObject({ charge: 7, rule: { price: 7 }, other_rules: [] })
})

describe('a message of a campaign', () => {
  test('names the campaign', async () => {
    const running = await openService({ settings: SETTINGS })
    try {
      const body = { name: 'Weekend sale', content: 'Hello' }
      const campaign = await campaignOf(running, body, [{ to: MTN }])
      const { estimate } = await estimated(running, campaign)
      const sure = { people: estimate?.people, charge: estimate?.charge }
      expect((await running.call('POST', `/campaigns/${campaign}/start`, sure)).status).toBe(200)
      await reached(running, campaign, 'finished')
      const listed = await running.call<{ messages: { id: string }[] }>('GET', `/sms?campaign_id=${campaign}`)
      const { status, body: explanation } = await explain(running, listed.body.messages[0]?.id ?? '')
      expect([status, explanation.campaign]).toEqual([200, { id: campaign, name: 'Weekend sale' }])
      expect(explanation.sentences).toEqual(['The message is part of the campaign Weekend sale.'])
    } finally {
      await running.close()
    }
  })
})

describe('a message', () => {
  test('that is scheduled, and then canceled, says when and what was refunded', async () => {
    const by = await service.organisation()
    const id = await send(by, { send_at: new Date(Date.now() + 3_600_000).toISOString() })
    const scheduled = await explained(by, id)
    expect(scheduled).toMatchObject({
      status: 'scheduled',
      send_at: expect.any(String),
      refund: { reason: 'not_over' },
    })
    expect(scheduled.sentences.join(' ')).toContain('It was scheduled for ')
    expect((await by.call('DELETE', `/sms/${id}`)).status).toBe(204)
    const canceled = await explained(by, id)
    expect(canceled.refund).toEqual({ refunded: true, reason: 'canceled', amount: 4 })
    expect(canceled.sentences).toContain(
      'The charge of 4 was refunded, because it was canceled before a carrier had it.',
    )
  })

  test('with a one-time password is explained without it', async () => {
    const by = await service.organisation()
    const otp = await by.call<{ id: string }>('POST', '/otp/request_token', { recipient: MTN, token: '482913' })
    const { body, text } = await explain(by, otp.body.id)
    expect(body).toMatchObject({ is_otp: true, deliveries: [{ price: { charge: 4, rule: { prefix: '234' } } }] })
    expect(body.sentences).toEqual(['The message carries a one-time password: its text is stored without the token.'])
    expect(text).not.toContain('482913')
  })

  test('on WhatsApp has no pages', async () => {
    const by = await service.organisation()
    const { text, price, route } = await explained(by, await send(by, { channel: 'whatsapp' }))
    expect(text).toEqual({ encoding: 'whatsapp', pages: 1, is_stored: true })
    expect(price).toMatchObject({ charge: 6, rule: { channel: 'whatsapp', price: 6 } })
    expect(route).toMatchObject({ name: 'chat' })
  })

  test('of a test key goes to the simulator', async () => {
    const live = await service.organisation()
    const by = await service.organisation({ of: live, mode: 'test' })
    const id = await send(by)
    const { route, price, carriers } = await explained(by, id)
    expect([route, price.charge, carriers]).toEqual([{ result: 'test' }, 4, []])
    await submit(by)
    expect((await explained(by, id)).sentences.join(' ')).toContain('A carrier: took the message at ')
    expect((await explained(asOperator(by), id)).sentences.join(' ')).toContain('Carrier the carrier: took the message')
  })

  test('with ten thousand recipients is explained by the page', async () => {
    const by = await service.organisation({ credit: 1_000_000 })
    const recipients = Array.from({ length: 10_000 }, (_, n) => String(2_348_030_000_000 + n))
    const id = await send(by, { recipients })
    const { body } = await explain(by, id)
    expect(body.deliveries).toHaveLength(50)
    expect(body.meta.pagination).toMatchObject({ count_total: 10_000, next_page: 'True' })
    const last = await explain(by, id, `?recipient=${recipients.at(-1)}`)
    expect(last.body.deliveries.map(({ recipient }) => recipient)).toEqual(recipients.slice(-1))
    const estimate = { recipients, content: 'Hello', explain: true }
    const { explanations } = (await by.call<Estimated>('POST', '/sms/estimate', estimate)).body
    expect(explanations).toHaveLength(20)
  })

  test('is refused in what is wrong, and unknown to others', async () => {
    const by = await service.organisation()
    const id = await send(by)
    const status = async (caller: Pick<Organisation, 'call'>, of: string, query = '') =>
      (await explain(caller, of, query)).status
    const other = await service.organisation()
    const without = await service.organisation({ of: by, scopes: ['otp'] })
    const stranger = await person(service, other.id, by.id, 'owner')
    expect(await status(by, id, '?recipient=12')).toBe(400)
    expect(await status(by, id, '?limit=51')).toBe(400)
    expect(await status(by, id, `?recipient=${GLO}`)).toBe(404)
    expect(await status(by, 'none')).toBe(404)
    expect(await status(other, id)).toBe(404)
    expect(await status(stranger, id)).toBe(404)
    expect(await status(without, id)).toBe(403)
    expect(await status(await person(service, by.id, by.id, 'viewer'), id)).toBe(200)
    expect((await fetch(`${service.url}/sms/${id}/explain`)).status).toBe(401)
  })

  test('is estimated without explanations unless they are wanted', async () => {
    const by = await service.organisation()
    const { body } = await by.call<Estimated>('POST', '/sms/estimate', { recipients: [MTN], content: 'Hello' })
    expect(body.explanations).toBeUndefined()
  })
})
