import { afterAll, beforeAll, expect, test } from 'vitest'
import { addEvidence } from '../../src/evidence/store.ts'
import type { EvidenceReport, EvidenceRowShown } from '../../src/evidence/schema.ts'
import { makeEvidence } from '../../src/observe/evidence.ts'
import { request, RIGHT, verify } from '../support/otp.ts'
import { person, type Person } from '../support/person.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const DELIVERED = '2348000000100'
const UNDELIVERED = '2348000000001'
const REJECTED = '2348000000003'
const GLO = '2348051234567'

let service: TestService
let operator: Person
let tester: Organisation
beforeAll(async () => {
  service = await openService({
    credit: 10_000,
    settings: {
      carriers: [{ kind: 'simulator', name: 'net', report_delay_ms: 20 }],
      routes: [{ name: 'all', channel: 'sms', carrier: 'net' }],
      prices: [{ channel: 'sms', prefix: '', price: 4 }],
    },
  })
  operator = await person(service, null)
  tester = await service.organisation({ mode: 'test', of: service })
})
afterAll(() => service.close())

async function report(query: string): Promise<EvidenceReport> {
  const answer = await operator.call<EvidenceReport>('GET', `/console/api/evidence?${query}`)
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
  return answer.body
}

/** The row of a class, once it fits. */
async function rowOf(its_class: string, fits: (row: EvidenceRowShown) => boolean): Promise<EvidenceRowShown> {
  return until(`the evidence of ${its_class}`, async () => {
    const { rows } = await report('by=carrier,class')
    return rows.find((row) => row.class === its_class && fits(row))
  })
}

async function send(recipients: readonly string[]): Promise<void> {
  const sent = await service.call('POST', '/sms/send', { recipients, content: 'Hello' })
  expect(sent.status).toBe(200)
}

test('messages are counted by carrier, operator, class and outcome; those of test keys are not', async () => {
  await tester.call('POST', '/sms/send', { recipients: [DELIVERED], content: 'Hello' })
  await send([DELIVERED, GLO, UNDELIVERED, REJECTED])
  const row = await rowOf('other', ({ delivered, undelivered }) => delivered === 2 && undelivered === 1)
  expect(row).toMatchObject({ carrier: 'net', submitted: 3, delivered: 2, undelivered: 1, delivered_share: 0.6667 })
  expect(Object.values(row.rejected).reduce((sum, count) => sum + count, 0)).toBe(1)
  expect(row.report_times.reduce((sum, { count }) => sum + count, 0)).toBe(3)
  const { rows } = await report('by=operator&country=ng')
  expect(rows.find((one) => one.operator === 'Glo')).toMatchObject({ country: 'NG', submitted: 1, delivered: 1 })
  expect(rows.reduce((sum, { submitted }) => sum + submitted, 0)).toBe(3)
})

test('a verified OTP is credited to the carrier that sent it, together with the OTPs that were sent then', async () => {
  const good = await request(service, { recipient: DELIVERED })
  const other = await request(service, { recipient: GLO })
  expect([good.status, other.status]).toEqual([200, 200])
  await rowOf('otp', ({ delivered }) => delivered === 2)
  expect((await verify(service, good.body.id, RIGHT)).status).toBe(200)
  const row = await rowOf('otp', ({ verified }) => verified === 1)
  expect(row).toMatchObject({ carrier: 'net', submitted: 2, verified: 1 })
  // Neither is judged yet.
  expect(row.verified_share).toBeUndefined()
})

test('what is counted for the same hour by several processes is added up', async () => {
  const key = { hour: Math.floor(Date.now() / 3_600_000), carrier: 'sum', country: 'KE', operator: '', channel: 'sms' }
  const evidence = makeEvidence()
  for (const after_s of [1, 100]) {
    evidence.note({ ...key, class: 'otp' }, { submitted: 2, verified: 1, judged: 2, good: 1, cost: 15_000 })
    evidence.noteRejected({ ...key, class: 'otp' }, 'temporary')
    evidence.noteReport({ ...key, class: 'otp' }, after_s)
    await addEvidence(service.db, evidence.drain())
  }
  const { rows, has_more } = await report('carrier=sum&hours=2')
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({
    country: 'KE',
    operator: '',
    submitted: 4,
    verified: 2,
    verified_share: 0.5,
    cost: 3,
  })
  expect(rows[0]?.rejected).toMatchObject({ temporary: 2, number: 0 })
  expect(rows[0]?.report_times.filter(({ count }) => count > 0)).toEqual([
    { up_to_s: 1, count: 1 },
    { up_to_s: 300, count: 1 },
  ])
  expect(has_more).toBe(false)
})

test('figures are of one channel and class, and of steps of several hours', async () => {
  const midnight = 24 * Math.floor(Date.now() / 86_400_000)
  const evidence = makeEvidence()
  const key = { carrier: 'steps', country: 'GH', operator: 'MTN', channel: 'sms', class: 'otp' } as const
  for (const hours of [1, 7, 8]) evidence.note({ ...key, hour: midnight - hours }, { submitted: hours })
  evidence.note({ ...key, hour: midnight - 1, class: 'other' }, { submitted: 100 })
  evidence.note({ ...key, hour: midnight - 1, channel: 'whatsapp' }, { submitted: 1_000 })
  await addEvidence(service.db, evidence.drain())
  const { rows } = await report('carrier=steps&by=hour&hours=72&step_hours=8&channel=sms&class=otp')
  expect(rows.map(({ hour, submitted }) => [Date.parse(hour ?? '') / 3_600_000 - midnight, submitted])).toEqual([
    [-8, 16],
  ])
  const halves = await report('carrier=steps&by=hour&hours=72&step_hours=4&class=other')
  expect(halves.rows.map(({ hour, submitted }) => [Date.parse(hour ?? '') / 3_600_000 - midnight, submitted])).toEqual([
    [-4, 100],
  ])
})

test('evidence is for operators only; every faulty field is named', async () => {
  expect((await service.call('GET', '/console/api/evidence')).status).toBe(401)
  const { status, body } = await operator.call<{ errors?: { field: string }[] }>(
    'GET',
    '/console/api/evidence?hours=0&by=carrier,day&country=Kenya&channel=fax&class=all&step_hours=25',
  )
  expect([status, body.errors?.map(({ field }) => field).toSorted()]).toEqual([
    400,
    ['by', 'channel', 'class', 'country', 'hours', 'step_hours'],
  ])
})

test('the counts are metrics', async () => {
  const { text } = await service.call('GET', '/metrics')
  expect(text).toMatch(/gangan_carrier_messages_total\{carrier="net",class="otp",event="verified"\} 1/)
  expect(text).toMatch(/gangan_carrier_messages_total\{carrier="net",class="other",event="rejected"\} 1/)
  expect(text).toMatch(/gangan_report_seconds_bucket\{.*carrier="net".*\} \d+/)
})
