import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { VendorEmulator } from '../../src/emulators/vendor/vendor.ts'
import { decideConfig } from '../../src/config/config.ts'
import { startVendor } from '../support/http-vendor.ts'
import { request, RIGHT, verify } from '../support/otp.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let vendor: VendorEmulator
let quiet: VendorEmulator
let service: TestService
let next_number = 2348031000000

beforeAll(async () => {
  vendor = await startVendor('vonage')
  quiet = await startVendor('vonage')
  service = await openService({
    settings: {
      carriers: [{ ...vendor.settings('vendor'), feedback: true }, quiet.settings('quiet')],
      routes: [
        { name: 'sms', channel: 'sms', carrier: 'vendor' },
        { name: 'glo', channel: 'sms', prefix: '234805', carrier: 'quiet' },
      ],
    },
  })
  // Without a report a verified one-time password is credited only later.
  const installation = { url: service.url, public_url: service.config.public_url }
  vendor.reports_to = { ...installation, carrier: 'vendor' }
  quiet.reports_to = { ...installation, carrier: 'quiet' }
})
afterAll(async () => {
  await service.close()
  await vendor.close()
  await quiet.close()
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
  until('the end of the job', async () => (await service.db`select from jobs where queue = 'feedback'`).length === 0)

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
    await service.db`update jobs set run_at = now() where queue = 'feedback'`
  }
  await untilDone()
  expect(vendor.feedback_requests).toBe(6)
  expect(service.log_lines.some(({ sentence }) => sentence.includes('did not take the feedback'))).toBe(true)
})

/** The job waits for its next attempt. */
async function releasedAfter(tries: number): Promise<boolean> {
  const rows = await service.db`
    select from jobs where queue = 'feedback' and not leased and attempts = ${tries} and run_at > now()`
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

test('a vendor that takes no feedback cannot be configured with it', () => {
  const settings = { kind: 'http', name: 'termii', preset: 'termii', credentials: { api_key: 'key' }, feedback: true }
  const routes = [{ name: 'sms', channel: 'sms', carrier: 'termii' }]
  expect(() => decideConfig({}, { carriers: [settings], routes })).toThrow('carriers.0.feedback: Termii takes none')
})
