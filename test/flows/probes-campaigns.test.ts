import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { PHONE_PATH } from '../../src/carriers/phone/tokens.ts'
import { startPhoneEmulator, type PhoneEmulator } from '../../src/emulators/phone/phone.ts'
import { startSmsc, type Smsc } from '../../src/emulators/smsc/smsc.ts'
import type { ProbePage, ShownPlan, ShownProbe } from '../../src/probes/schema.ts'
import { campaignOf, estimated, reached, type Campaign } from '../support/campaign.ts'
import { balance } from '../support/otp.ts'
import { person, type Person } from '../support/person.ts'
import { untilPresent } from '../support/phone.ts'
import { tokenOf } from '../support/phone-api.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

const NUMBERS = ['2348031234567', '2348031234568']
const CREDIT = 20_000
const PRICE = 4

let honest: Smsc
/** It reports everything as delivered; what its handsets get is passed on to no phone. */
let faker: Smsc
let service: TestService
let operator: Person
let phone: PhoneEmulator
/** What the phone displays instead of the text. */
let displayed = (text: string): string => text

beforeAll(async () => {
  honest = await startSmsc()
  faker = await startSmsc({ reports: { early_share: 1 } })
  service = await openService({
    settings: {
      carriers: [
        smppCarrier(honest.port, { name: 'honest' }),
        smppCarrier(faker.port, { name: 'faker' }),
        { kind: 'phone', name: 'drawer', probe: true, numbers: NUMBERS.map((number) => ({ number: `+${number}` })) },
      ],
      routes: [
        { name: 'sms', channel: 'sms', carriers: ['honest', 'faker'] },
        { name: 'glo', channel: 'sms', prefix: '234805', carrier: 'honest' },
      ],
    },
  })
  operator = await person(service, null)
  phone = startPhoneEmulator({
    url: service.url + PHONE_PATH,
    token: tokenOf('drawer'),
    name: 'drawer',
    sims: 1,
    send: async function* () {},
  })
  honest.handsets.watch(({ from, to, text }) => {
    if (NUMBERS.includes(to)) phone.receive({ from, text: displayed(text), recipient: `+${to}` })
  })
  await untilPresent(service, 'drawer')
  await until('the webhooks of the phone', () => phone.memory.webhooks.length > 0)
})
afterAll(async () => {
  phone.kill()
  await service.close()
  await honest.stop()
  await faker.stop()
})
afterEach(async () => {
  displayed = (text) => text
  await service.db`delete from probe_plans`
})

/** A plan that is switched on, and sends nothing on its own during a test. */
async function plan(name: string, more: object = {}): Promise<void> {
  const fields = { carrier: 'honest', operator: 'MTN', sender_id: 'Gangan', wordings: ['{{code}}'], per_campaign: 1 }
  const made = await operator.call<{ plan: ShownPlan }>('POST', '/console/api/probes', { name, ...fields, ...more })
  expect([made.status, made.text]).toEqual([200, expect.any(String)])
  expect((await operator.call('PATCH', `/console/api/probes/${name}`, { enabled: true })).status).toBe(200)
  await service.db`update probe_plans set next_datetime = now() + interval '1 day' where name = ${name}`
}

/** Numbers of recipients at MTN; with another prefix of another operator. */
const people = (count: number, prefix = '234803') =>
  Array.from({ length: count }, (_, n) => ({
    to: `${prefix}${2_000_000 + n}`,
    substitutions: { name: `Recipient${n}` },
  }))

async function send(by: Organisation, content: string, recipients: readonly object[]): Promise<string> {
  const id = await campaignOf(by, { content, name: 'Campaign' }, recipients)
  const { estimate } = await estimated(by, id)
  const start = { people: estimate?.people, charge: estimate?.charge }
  expect((await by.call('POST', `/campaigns/${id}/start`, start)).status).toBe(200)
  await reached(by, id, 'finished')
  return id
}

async function probesOf(campaign_id: string): Promise<ShownProbe[]> {
  const { body } = await operator.call<ProbePage>('GET', '/console/api/probe-results?limit=100')
  return body.probes.filter((one) => one.campaign_id === campaign_id)
}

const probed = (campaign_id: string, count: number, fits: (probe: ShownProbe) => boolean = () => true) =>
  until(`${count} probes`, async () => {
    const probes = await probesOf(campaign_id)
    return probes.length === count && probes.every(fits) && probes
  })

test('the text of a campaign is probed without the values of recipients; the campaign does not notice', async () => {
  await plan('codes')
  const by = await service.organisation({ credit: CREDIT })
  const id = await send(by, 'Dear {{name}}, we open at eight.', people(3))
  const [probe] = await probed(id, 1, (one) => one.arrived === true && one.report !== undefined)
  expect(probe).toMatchObject({
    plan: 'codes',
    carrier: 'honest',
    sender_id: 'Gangan',
    outcome: 'accepted',
    report: 'delivered',
    displayed: 'equal',
    displayed_sender: 'Gangan',
  })
  expect(NUMBERS).toContain(probe?.recipient)
  expect(probe?.text).toMatch(/^Dear [A-Z][a-z]{7}, we open at eight\.$/)
  const outcomes = await until('the outcomes', async () => {
    const { body } = await by.call<Campaign>('GET', `/campaigns/${id}`)
    return body.outcomes?.delivered === 3 && body.outcomes
  })
  expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(3)
  expect(await balance(by)).toBe(CREDIT - 3 * PRICE)
  const [rows] = await service.db`
    select (select count(*)::integer from deliveries where organisation_id = ${by.id}) as deliveries,
      (select count(*)::integer from inbound_messages) as inbound,
      (select count(*)::integer from deliveries where recipient = any (${NUMBERS}::text[])) as to_probe_phones`
  expect(rows).toEqual({ deliveries: 3, inbound: 0, to_probe_phones: 0 })
})

test('a text without placeholders is recognised by its wording, on a number of its own for each carrier', async () => {
  await plan('through-honest')
  await plan('through-faker', { carrier: 'faker' })
  displayed = (text) => `${text} (ad)`
  const by = await service.organisation({ credit: CREDIT })
  const content = 'Our shop in Yaba opens at eight on Monday.'
  const id = await send(by, content, people(3))
  const probes = await probed(id, 2, ({ report }) => report === 'delivered')
  expect(new Set(probes.map(({ recipient }) => recipient)).size).toBe(2)
  const arrived = await until('the arrival', async () => (await probesOf(id)).find((one) => one.arrived))
  expect(arrived).toMatchObject({ carrier: 'honest', displayed: 'changed', displayed_text: `${content} (ad)` })
  expect((await probesOf(id)).find(({ carrier }) => carrier === 'faker')?.arrived).toBeUndefined()
})

test('a plan probes each campaign so often at most, within its limit of a day', async () => {
  await plan('twice', { per_campaign: 2, per_day: 3 })
  const by = await service.organisation({ credit: CREDIT })
  const first = await send(by, 'Dear {{name}}, hello', people(520))
  await probed(first, 2)
  const second = await send(by, 'Dear {{name}}, hello again', people(520))
  await probed(second, 1)
  await service.db`update probe_plans set per_day = 10`
  const third = await send(by, 'Dear {{name}}, once more', people(520))
  await probed(third, 2)
  expect([await probesOf(first), await probesOf(second)].map((probes) => probes.length)).toEqual([2, 1])
})

test('only campaigns that go through its carrier to its operator are probed, by plans that are on and want it', async () => {
  await plan('off')
  expect((await operator.call('PATCH', '/console/api/probes/off', { enabled: false })).status).toBe(200)
  await plan('without', { per_campaign: 0 })
  await plan('faked', { carrier: 'faker' })
  const by = await service.organisation({ credit: CREDIT })
  // The route to Glo has another carrier, and no probe phone has a number of Glo.
  const elsewhere = await send(by, 'Dear {{name}}, hello', people(3, '234805'))
  const id = await send(by, 'Dear {{name}}, good morning', people(3))
  expect((await probed(id, 1)).map((one) => one.plan)).toEqual(['faked'])
  expect(await probesOf(elsewhere)).toEqual([])
})
