import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSubmitter } from '../../src/messaging/dispatch/submitter.ts'
import { makeSeal } from '../../src/values/secrets/seal.ts'
import { makeMeters } from '../../src/observe/meters.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import type { MessageCarrier, OutgoingMessage } from '../../src/carriers/message-carrier.ts'
import { makeFailOtps } from '../../src/otp/fallback/fail.ts'
import { pepperKeys } from '../../src/otp/pepper.ts'
import { makeWakeups } from '../../src/queue/wakeups.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { loseAll } from '../support/intake.ts'
import { balance, faults, handset, letTimePass, request, RIGHT, verify, type Otp } from '../support/otp.ts'
import { until } from '../support/until.ts'

let service: TestService

beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

const read = async (by: Organisation, id: string) => (await by.call<Otp>('GET', `/otp/${id}`)).body
const deliveryOf = async (by: Organisation, id: string) => {
  const { body } = await by.call<{ deliveries: { status: string; refunded: boolean }[] }>('GET', `/sms/${id}`)
  return body.deliveries[0]
}

describe('an OTP whose message', () => {
  test.each([
    ['is rejected', '2348000000003', 'rejected', 3, 100],
    ['is not delivered', '2348000000001', 'undelivered', 3, 96],
    ['expires at the network', '2348000000002', 'expired', 1, 96],
    ['is never reported on', '2348000000005', 'unknown', 1, 96],
    ['is delivered', '2348031234567', 'delivered', 1, 96],
  ])('%s', async (_, recipient, delivery, status, left) => {
    const by = await service.organisation({ credit: 100 })
    const { id } = (await request(by, { recipient })).body
    await until('the end', async () => (await deliveryOf(by, id))?.status === delivery)
    expect((await read(by, id)).status).toBe(status)
    expect(await balance(by)).toBe(left)
    expect(faults((await verify(by, id)).body)).toEqual(status === 1 ? [] : ['token invalid'])
  })

  test('could not be delivered reports that, also to a request with the right token', async () => {
    const by = await service.organisation({ credit: 100 })
    const { id } = (await request(by, { recipient: '2348000000003' })).body
    await until('the end', async () => (await deliveryOf(by, id))?.status === 'rejected')
    const message = 'The token could not be delivered, so it cannot be verified.'
    expect((await verify(by, id)).body).toMatchObject({ status: 404, errors: [{ message }] })
  })
})

test('with any outcome: the ledger balances, and no text is left', async () => {
  expect(await auditMoney(service.db)).toEqual([])
  expect((await service.db`select 1 from deliveries where sealed_text is not null`).length).toBe(0)
})

test('a late message is not submitted: failed, refunded, and the OTP is EXPIRED', async () => {
  const quiet = await openService({ workers: false, credit: 100 })
  const { id } = (await request(quiet, { expires_in: 1 })).body
  await letTimePass(quiet, id, 2)
  const worker = await openService({ beside: quiet })
  await until('the end', async () => (await deliveryOf(quiet, id))?.status === 'failed')
  expect(await deliveryOf(quiet, id)).toMatchObject({
    refunded: true,
    description: 'it expired before it could be submitted',
  })
  expect(await balance(quiet)).toBe(100)
  expect((await read(quiet, id)).status_desc).toBe('EXPIRED')
  const shown = await quiet.db`select 1 from sandbox_messages`
  expect(shown.length).toBe(0)
  await worker.close()
  await quiet.close()
})

test('a message sealed under another pepper is refunded', async () => {
  const quiet = await openService({ workers: false, credit: 100 })
  const { id } = (await request(quiet)).body
  const worker = await openService({ beside: quiet, config: { pepper: 'quite another pepper' } })
  await until('the end', async () => (await deliveryOf(quiet, id))?.status === 'failed')
  expect(await balance(quiet)).toBe(100)
  expect((await read(quiet, id)).status_desc).toBe('FAILED')
  await worker.close()
  await quiet.close()
})

test('OTPs are sent before bulk messages', async () => {
  const routes = [{ name: 'sms', channel: 'sms', carrier: 'simulator', rate_per_s: 5 }]
  const quiet = await openService({ workers: false, settings: { routes } })
  const recipients = Array.from({ length: 200 }, (_, n) => `234803${String(n).padStart(7, '0')}`).join(',')
  await quiet.call('POST', '/sms/send', { recipients, content: 'Sale!' })
  await request(quiet, { recipient: '08051234567' })
  const worker = await openService({ beside: quiet, settings: { routes } })
  await handset(quiet, '2348051234567')
  const [row] = await quiet.db<{ before: number }[]>`
    select count(*)::integer as before from sandbox_messages
    where id < (select id from sandbox_messages where recipient = '2348051234567')`
  expect(row?.before).toBeLessThan(5)
  await worker.close()
  await quiet.close()
})

test('after an interruption an OTP is submitted again, within its validity; another message is not', async () => {
  const quiet = await openService({ workers: false })
  const { id } = (await request(quiet)).body
  const sent = await quiet.call<{ id: string }>('POST', '/sms/send', { recipients: '08031234568', content: 'Hello' })
  // As if a worker had died with both in flight.
  await loseAll(quiet.db)
  const submitted: OutgoingMessage[] = []
  const wakeups = await makeWakeups(quiet.db)
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const seal = makeSeal(pepperKeys(quiet.config.pepper ?? '').seal_key)
  const carrier: MessageCarrier = {
    name: 'fickle',
    batch: 10,
    resubmittable: false,
    async submit(messages) {
      submitted.push(...messages)
      return messages.map((_, n) => ({ kind: 'accepted', carrier_message_id: `c${n}`, report_due_s: 60 }))
    },
    stop: async () => {},
  }
  const worker = startSubmitter(
    {
      db: quiet.db,
      log,
      meters: makeMeters(),
      wakeups,
      seal,
      onChanged: makeFailOtps(makeMeters()),
      onSettled: () => {},
      noteFacts: async () => {},
    },
    { queue: 'route:sms', route: 'sms', lanes: [{ queue: 'route:sms', carrier }] },
  )
  await until('both', async () => (await quiet.db`select 1 from intake`).length === 0)
  expect(submitted).toHaveLength(1)
  expect(submitted[0]).toMatchObject({ message_id: id, text: expect.stringContaining(RIGHT) })
  expect(submitted[0]?.expires_in_s).toBeGreaterThan(800)
  expect(submitted[0]?.expires_in_s).toBeLessThanOrEqual(900)
  expect((await deliveryOf(quiet, sent.body.id))?.status).toBe('unknown')
  await worker.stop()
  await wakeups.close()
  await quiet.close()
})
