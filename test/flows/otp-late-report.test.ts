import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { connect } from '../../src/db/connect.ts'
import { addEvidence } from '../../src/evidence/store.ts'
import { hourOf, makeEvidence, type EvidenceKey } from '../../src/observe/evidence.ts'
import { startReportTimes } from '../../src/otp/report-times.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { between } from '../support/statements.ts'
import { until } from '../support/until.ts'

const MTN = '2348031234567'
const AIRTEL = '2348021234567'
const GLO = '2348051234567'
const NINE_MOBILE = '2348091234567'

let service: TestService

beforeAll(async () => {
  // Without workers: all reports are those that a test writes.
  service = await openService({
    workers: false,
    settings: {
      carriers: ['net', 'spare', 'stranger'].map((name) => ({ kind: 'simulator', name })),
      routes: [
        { name: 'line', channel: 'sms', carriers: ['net', 'spare'] },
        { name: 'chat', channel: 'whatsapp', carrier: 'net' },
      ],
    },
    config: { sandbox: true },
  })
  await write('net', 'MTN', 100, 4)
  await write('spare', 'MTN', 100, 10)
  await write('stranger', 'MTN', 5_000, 40)
  await write('net', 'MTN', 5_000, 40, { class: 'other' })
  await write('net', 'MTN', 5_000, 40, { country: 'GH' })
  await write('net', 'MTN', 5_000, 40, { hour: hourOf(Date.now()) - 25 })
  await write('net', 'MTN', 300, 30, { channel: 'whatsapp' })
  await write('net', 'Airtel', 199, 1)
  await write('net', 'Glo', 300, 0.4)
  await write('net', '9mobile', 300, 4_000)
})
afterAll(() => service.close())
afterEach(() => void vi.useRealTimers())

/** Reports of one-time passwords that arrived after so many seconds. */
async function write(
  carrier: string,
  operator: string,
  count: number,
  after_s: number,
  key: Partial<EvidenceKey> = {},
): Promise<void> {
  const evidence = makeEvidence()
  const hour = hourOf(Date.now())
  const own: EvidenceKey = { hour, carrier, country: 'NG', operator, channel: 'sms', class: 'otp', ...key }
  for (let n = 0; n < count; n += 1) evidence.noteReport(own, after_s)
  evidence.note(own, { submitted: count, delivered: count })
  await addEvidence(service.db, evidence.drain())
}

async function customer(settings: object): Promise<Organisation> {
  const by = await service.organisation({ credit: 1_000 })
  expect((await by.call('PATCH', '/otp/settings', settings)).status).toBe(200)
  return by
}

/** Requests a one-time password, and returns the seconds from then to its second message. */
async function delayOf(by: Organisation, recipient: string, body: object = {}): Promise<number | undefined> {
  const { status, body: otp } = await by.call<{ id: string }>('POST', '/otp/request_token', { recipient, ...body })
  expect(status).toBe(200)
  const [job] = await service.db<{ after_s: number }[]>`
    select extract(epoch from run_at - created_datetime)::float8 as after_s
    from jobs join otps on otps.organisation_id = jobs.organisation_id and otps.id = subject_id
    where queue = 'otp-fallback' and jobs.organisation_id = ${by.id} and subject_id = ${otp.id}`
  return job?.after_s
}

test('a request neither waits for the figures nor executes another statement; they are read once', async () => {
  let release = (): void => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let reads = 0
  await between(
    service.db,
    async (asked, ask) => {
      if (asked.text.includes('from evidence')) {
        reads += 1
        await released
      }
      return ask(asked)
    },
    async () => {
      try {
        const fixed = await customer({ resend_after_s: 60 })
        expect(await delayOf(fixed, MTN)).toBe(60)
        expect(reads).toBe(0)
        const by = await customer({ resend_when_late: true })
        expect(await delayOf(by, MTN)).toBe(60)
        expect(await delayOf(by, MTN)).toBe(60)
        expect(reads).toBe(1)
        release()
        await until('the figures', async () => (await delayOf(by, MTN)) === 10)
        expect(reads).toBe(1)
      } finally {
        release()
      }
    },
  )
})

test('the second message of an OTP is sent when the report is late for the operator, by the carriers of the route', async () => {
  const by = await customer({ resend_when_late: true })
  await until('the figures', async () => (await delayOf(by, MTN)) === 10)
  expect(await delayOf(by, MTN, { channel: 'whatsapp' })).toBe(29)
  expect(await delayOf(by, GLO)).toBe(5)
  expect(await delayOf(by, AIRTEL)).toBe(60)
  expect(await delayOf(by, NINE_MOBILE)).toBe(60)
  expect(await delayOf(by, MTN, { token: '482913' })).toBeUndefined()

  const hasty = await customer({ resend_when_late: true, resend_after_s: 8 })
  expect([await delayOf(hasty, MTN), await delayOf(hasty, GLO), await delayOf(hasty, AIRTEL)]).toEqual([8, 5, 8])
  const fixed = await customer({ resend_after_s: 60 })
  expect([await delayOf(fixed, MTN), await delayOf(fixed, GLO)]).toEqual([60, 60])
  const none = await customer({ fallback_channel: 'whatsapp', fallback_after_s: 40, resend_when_late: true })
  expect([await delayOf(none, MTN), await delayOf(none, MTN, { channel: 'whatsapp' })]).toEqual([40, 29])
})

test('the figures are read every minute, until an hour after the last use', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
  const warned: object[] = []
  const log = { info: () => {}, warn: (details: object) => void warned.push(details), error: () => {} }
  const db = connect(service.database.address)
  const times = startReportTimes({ db, log, carriersOf: () => ['minutely'] })
  const delay = () => times.lateAfterS({ recipient: MTN, channel: 'sms', route: 'line', longest_s: 60 })
  let reads = 0
  let is_down = false
  let answered = 0
  await between(
    db,
    async (asked, ask) => {
      if (!asked.text.includes('from evidence')) return ask(asked)
      reads += 1
      if (is_down) throw new Error('the database is gone')
      return ask(asked).finally(() => (answered += 1))
    },
    async () => {
      vi.advanceTimersByTime(600_000)
      expect(reads).toBe(0)
      await write('minutely', 'MTN', 300, 10)
      expect(delay()).toBe(60)
      await until('the first figures', () => delay() === 10)

      await write('minutely', 'MTN', 9_000, 30)
      vi.advanceTimersByTime(59_000)
      expect(delay()).toBe(10)
      vi.advanceTimersByTime(1_000)
      await until('the next figures', () => delay() === 29)
      expect(reads).toBe(2)

      is_down = true
      vi.advanceTimersByTime(60_000)
      await until('the failure', () => warned.length === 1)
      expect(delay()).toBe(29)
      is_down = false

      vi.advanceTimersByTime(3_599_000)
      await until('the last figures', () => answered === 3)
      await db`select 1`
      vi.advanceTimersByTime(120_000)
      await db`select 1`
      expect(reads).toBe(4)
      expect(delay()).toBe(60)
      await until('the figures again', () => delay() === 29)
      expect(reads).toBe(5)
    },
  )
  await times.stop()
  await db.end()
})
