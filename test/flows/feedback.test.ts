import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { VendorEmulator } from '../../src/emulators/vendor/vendor.ts'
import { decideConfig } from '../../src/config/config.ts'
import { startVendor } from '../support/http-vendor.ts'
import { letTimePass, request, RIGHT, verify } from '../support/otp.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let vendor: VendorEmulator
let quiet: VendorEmulator
let twilio: VendorEmulator
let service: TestService
let next_number = 2348031000000

beforeAll(async () => {
  vendor = await startVendor('vonage')
  quiet = await startVendor('vonage')
  twilio = await startVendor('twilio')
  service = await openService({
    settings: {
      carriers: [
        { ...vendor.settings('vendor'), feedback: true },
        quiet.settings('quiet'),
        { ...twilio.settings('twilio'), feedback: true },
      ],
      routes: [
        { name: 'sms', channel: 'sms', carrier: 'vendor' },
        { name: 'glo', channel: 'sms', prefix: '234805', carrier: 'quiet' },
        { name: 'airtel', channel: 'sms', prefix: '234802', carrier: 'twilio' },
        { name: 'pair', channel: 'sms', prefix: '234701', carriers: ['vendor', 'quiet'] },
      ],
    },
  })
  // Without a report a verified one-time password is credited only later.
  const installation = { url: service.url, public_url: service.config.public_url }
  vendor.reports_to = { ...installation, carrier: 'vendor' }
  quiet.reports_to = { ...installation, carrier: 'quiet' }
  twilio.reports_to = { ...installation, carrier: 'twilio' }
})
afterAll(async () => {
  await service.close()
  await vendor.close()
  await quiet.close()
  await twilio.close()
})
beforeEach(() => {
  vendor.feedback_status = 200
  vendor.feedback_requests = 0
  vendor.feedback.length = 0
})

/** An OTP that was submitted to a vendor; `verified` with its token. */
async function send(to: VendorEmulator, recipient: string): Promise<{ id: string; vendor_id: string }> {
  const { status, body } = await request(service, { recipient })
  expect(status).toBe(200)
  const taken = await until('the message', () => to.taken.find((one) => one.to === recipient))
  return { id: body.id, vendor_id: taken.id }
}
const number = () => String((next_number += 1))
const untilDone = () =>
  until('the end of the job', async () => {
    const jobs = await service.db`select from jobs where queue = 'feedback' and subject_key like '% verified'`
    return jobs.length === 0
  })
/** The jobs that report how an OTP has ended, once it has. */
const judging = (id: string) => service.db<{ is_due: boolean }[]>`
  select run_at <= now() as is_due from jobs
  where queue = 'feedback' and subject_id = ${id} and subject_key like '% judged'`
/** As if the OTP had expired now. */
async function judge(id: string, count = 1): Promise<void> {
  await until('the jobs for its end', async () => (await judging(id)).length === count)
  await service.db`update jobs set run_at = now() where queue = 'feedback' and subject_id = ${id}`
  await until('the end of the jobs', async () => (await judging(id)).length === 0)
}

test('the vendor of a verified one-time password learns its own id and the time, once; of no other', async () => {
  const verified = await send(vendor, number())
  await send(vendor, number())
  expect((await verify(service, verified.id, RIGHT)).status).toBe(200)
  const [given] = await until('the feedback', () => vendor.feedback.length > 0 && vendor.feedback)
  expect(given).toEqual({ id: verified.vendor_id, verified: true, time: expect.any(String) })
  expect(Math.abs(Date.parse(`${given?.time.replace(' ', 'T')}Z`) - Date.now())).toBeLessThan(60_000)
  await untilDone()
  expect(vendor.feedback_requests).toBe(1)
})

test('a vendor without `feedback: true` gets none', async () => {
  const own = await send(quiet, '2348051234567')
  const other = await send(vendor, number())
  expect((await verify(service, own.id, RIGHT)).status).toBe(200)
  expect((await verify(service, other.id, RIGHT)).status).toBe(200)
  await until('the feedback of the other', () => vendor.feedback.length === 1)
  expect(quiet.feedback_requests).toBe(0)
})

test('feedback that fails is retried, and dropped after six attempts', async () => {
  vendor.feedback_status = 503
  const { id } = await send(vendor, number())
  expect((await verify(service, id, RIGHT)).status).toBe(200)
  for (let tries = 1; tries <= 6; tries += 1) {
    await until(`attempt ${tries}`, () => vendor.feedback_requests === tries)
    if (tries === 6) break
    await until('its release', () => releasedAfter(tries))
    await service.db`
      update jobs set run_at = now() where queue = 'feedback' and subject_key like '% verified' and not leased`
  }
  await untilDone()
  expect(vendor.feedback_requests).toBe(6)
  expect(service.log_lines.some(({ sentence }) => sentence.includes('did not take the feedback'))).toBe(true)
})

/** The job waits for its next attempt. */
async function releasedAfter(tries: number): Promise<boolean> {
  const rows = await service.db`
    select from jobs where queue = 'feedback' and subject_key like '% verified' and not leased and attempts = ${tries} and run_at > now()`
  return rows.length === 1
}

test('feedback that the vendor refuses is not repeated', async () => {
  vendor.feedback_status = 402
  const { id } = await send(vendor, number())
  expect((await verify(service, id, RIGHT)).status).toBe(200)
  await until('the feedback', () => vendor.feedback_requests === 1)
  await untilDone()
  expect(vendor.feedback).toEqual([])
})

test('the vendor of a one-time password that expired or failed learns that it was not verified, once', async () => {
  const [expired, failed] = [await send(vendor, number()), await send(vendor, number())]
  await until('the job for its end', async () => (await judging(expired.id)).length === 1)
  expect(await judging(expired.id)).toEqual([{ is_due: false }])
  await letTimePass(service, expired.id, 60)
  await judge(expired.id)
  expect(vendor.feedback).toEqual([{ id: expired.vendor_id, verified: false, time: expect.any(String) }])
  for (let tries = 0; tries < 5; tries += 1) expect((await verify(service, failed.id, '0000')).status).toBe(404)
  await judge(failed.id)
  expect(vendor.feedback.slice(1)).toEqual([{ id: failed.vendor_id, verified: false, time: expect.any(String) }])
  expect(vendor.feedback_requests).toBe(2)
})

test('of a one-time password that was verified or revoked, or is still open, it does not', async () => {
  const [verified, revoked, open] = [
    await send(vendor, number()),
    await send(vendor, number()),
    await send(vendor, number()),
  ]
  expect((await verify(service, verified.id, RIGHT)).status).toBe(200)
  await until('the feedback on the verification', () => vendor.feedback.length === 1)
  expect((await service.call('DELETE', `/otp/${revoked.id}`)).status).toBe(204)
  await letTimePass(service, verified.id, 60)
  await letTimePass(service, revoked.id, 60)
  for (const { id } of [verified, revoked, open]) await judge(id)
  expect(vendor.feedback).toEqual([{ id: verified.vendor_id, verified: true, time: expect.any(String) }])
})

test('a message of a one-time password that another of its messages verified is not reported', async () => {
  const by = await service.organisation()
  await by.call('PATCH', '/otp/settings', { resend_after_s: 60 })
  const recipient = '2347012345678'
  const { body } = await by.call<{ id: string }>('POST', '/otp/request_token', { recipient })
  // As if it had not been reported; its report comes once.
  await until('the report on the first message', async () => {
    const rows = await service.db`select from deliveries where message_id = ${body.id} and status = 'delivered'`
    return rows.length === 1
  })
  await service.db`
    update deliveries set sent_datetime = now() - interval '1 hour', status = 'sent' where message_id = ${body.id}`
  await until('the second message', async () => {
    await service.db`
      update jobs set run_at = now() where queue = 'otp-fallback' and subject_id = ${body.id} and not leased`
    return quiet.taken.find((one) => one.to === recipient)
  })
  const token = /^\d+/.exec(quiet.taken.find((one) => one.to === recipient)?.text ?? '')?.[0]
  expect((await verify(by, body.id, token)).status).toBe(200)
  await letTimePass(service, body.id, 60)
  await judge(body.id)
  expect(vendor.feedback).toEqual([])
})

test('Twilio is asked to track one-time passwords, and learns which were verified', async () => {
  const recipient = '2348021234567'
  const { id } = await send(twilio, recipient)
  await service.call('POST', '/sms/send', { recipients: '2348021234568', content: 'Hello' })
  const other = await until('the text', () => twilio.taken.find((one) => one.to === '2348021234568'))
  expect(twilio.taken.find((one) => one.to === recipient)?.wants_feedback).toBe(true)
  expect(other.wants_feedback).toBe(false)
  expect((await verify(service, id, RIGHT)).status).toBe(200)
  const [given] = await until('the feedback', () => twilio.feedback.length > 0 && twilio.feedback)
  const [stored] = await service.db<{ sid: string }[]>`
    select carrier_message_id as sid from submissions where message_id = ${id}`
  expect(given).toMatchObject({ id: stored?.sid, verified: true })
  await untilDone()
  expect(await judging(id)).toEqual([])
  expect(twilio.feedback_requests).toBe(1)
})

test('a vendor that takes no feedback cannot be configured with it', () => {
  const settings = { kind: 'http', name: 'termii', preset: 'termii', credentials: { api_key: 'key' }, feedback: true }
  const routes = [{ name: 'sms', channel: 'sms', carrier: 'termii' }]
  expect(() => decideConfig({}, { carriers: [settings], routes })).toThrow('carriers.0.feedback: Termii takes none')
})
