import { createHmac } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Sent } from '../../src/emulators/vendor/dialect.ts'
import type { Treatment } from '../../src/emulators/vendor/vendor.ts'
import { ARRIVES, routeTo, startVendor } from '../support/http-vendor.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const TO = '2348031234567'
/** It has the same last digits as the other: matching by last digits would confuse their reports. */
const ALIKE = '2347031234567'

type Delivery = { recipient: string; status: string; charge: number; refunded: boolean }
type Message = { deliveries: Delivery[] }

/** A service whose one carrier is Termii, with the route for do-not-disturb numbers. */
async function open(treat: (sent: Sent) => Treatment = () => ARRIVES, settings: object = {}) {
  const vendor = await startVendor('termii', treat)
  const carrier = vendor.settings('vendor')
  const options = { ...(carrier.options as object), channel: 'dnd' }
  const service = await openService({
    settings: { carriers: [{ ...carrier, options }], routes: [routeTo('vendor')], ...settings },
    config: { sandbox: true },
    credit: 10_000,
  })
  vendor.reports_to = { url: service.url, carrier: 'vendor', public_url: service.config.public_url }
  onTestFinished(async () => {
    await service.close()
    await vendor.close()
  })
  return { vendor, service }
}

async function send(service: TestService, recipients: string, more: object = {}): Promise<string> {
  const answer = await service.call<{ id: string }>('POST', '/sms/send', { recipients, content: 'Hello', ...more })
  expect(answer.status).toBe(200)
  return answer.body.id
}

async function deliveriesOf(service: TestService, id: string): Promise<Delivery[]> {
  return (await service.call<Message>('GET', `/sms/${id}`)).body.deliveries
}

async function ended(service: TestService, id: string): Promise<Delivery[]> {
  return until('the message to end', async () => {
    const deliveries = await deliveriesOf(service, id)
    return deliveries.every(({ status }) => !['queued', 'sent', 'scheduled'].includes(status)) && deliveries
  })
}

const numbers = (count: number): string[] => Array.from({ length: count }, (_, n) => String(2_348_031_000_000 + n))
const balanceOf = async (service: TestService) =>
  (await service.call<{ balance: number }>('GET', '/balance')).body.balance

describe('a vendor with a route for transactional messages', () => {
  test('receives OTPs and transactional messages on it, and promotional ones on the other', async () => {
    const { service, vendor } = await open()
    const channelsTo = (to: string) => vendor.taken.filter((one) => one.to === to).map(({ channel }) => channel)
    await ended(service, await send(service, TO))
    expect(channelsTo(TO)).toEqual(['dnd'])
    await ended(service, await send(service, ALIKE, { route_class: 'promotional' }))
    expect(channelsTo(ALIKE)).toEqual(['generic'])
    const otp = await service.call('POST', '/otp/request_token', { recipient: '2348051234567' })
    expect(otp.body).toMatchObject({ status: 1 })
    await until('the OTP', () => channelsTo('2348051234567').length > 0)
    expect(channelsTo('2348051234567')).toEqual(['dnd'])
  })

  test('keeps promotional messages apart when they are scheduled and when they are retried', async () => {
    const tries = new Map<string, number>()
    const { service, vendor } = await open(({ to }) => {
      tries.set(to, (tries.get(to) ?? 0) + 1)
      return tries.get(to) === 1 && to === ALIKE ? { made: 'put_off' } : ARRIVES
    })
    const send_at = new Date(Date.now() + 1_500).toISOString()
    const later = await send(service, TO, { route_class: 'promotional', send_at })
    const again = await send(service, ALIKE, { route_class: 'promotional' })
    expect(await ended(service, later)).toMatchObject([{ status: 'delivered' }])
    expect(await ended(service, again)).toMatchObject([{ status: 'delivered' }])
    expect(tries.get(ALIKE)).toBe(2)
    expect(vendor.taken.map(({ to, channel }) => `${to} ${channel}`).sort()).toEqual([
      `${ALIKE} generic`,
      `${TO} generic`,
    ])
  })

  test('receives promotional messages to do-not-disturb numbers on it, if so configured', async () => {
    const { service, vendor } = await open(() => ARRIVES, { dnd: 'transactional' })
    await service.db`insert into dnd_numbers values (${ALIKE})`
    await ended(service, await send(service, `${TO},${ALIKE}`, { route_class: 'promotional' }))
    expect(vendor.taken.map(({ to, channel }) => `${to} ${channel}`).sort()).toEqual([`${ALIKE} dnd`, `${TO} generic`])
  })
})

describe('a request to many numbers', () => {
  test('has up to a hundred recipients, each with its own report', async () => {
    const { service, vendor } = await open(({ to }) => (to === ALIKE ? { made: 'taken', ends: ['disowned'] } : ARRIVES))
    const all = [...numbers(250), TO, ALIKE]
    const before = await balanceOf(service)
    const deliveries = await ended(service, await send(service, all.join(',')))
    expect(deliveries).toHaveLength(all.length)
    for (const { recipient, status, refunded } of deliveries) {
      const expected =
        recipient === ALIKE ? { status: 'rejected', refunded: true } : { status: 'delivered', refunded: false }
      expect({ recipient, status, refunded }).toEqual({ recipient, ...expected })
    }
    expect(vendor.taken).toHaveLength(all.length)
    expect(vendor.requests).toBeLessThan(50)
    const [{ charge } = { charge: 0 }] = deliveries
    expect(before - (await balanceOf(service))).toBe(charge * (all.length - 1))
  })

  test('that is rejected because of one recipient is sent to the others, each once', async () => {
    const { service, vendor } = await open(({ to }) => (to === ALIKE ? { made: 'refused' } : ARRIVES))
    const all = [...numbers(60), ALIKE, TO]
    const before = await balanceOf(service)
    const deliveries = await ended(service, await send(service, all.join(',')))
    expect(deliveries.filter(({ status }) => status !== 'delivered')).toMatchObject([
      { recipient: ALIKE, status: 'rejected', refunded: true },
    ])
    expect(vendor.taken.map(({ to }) => to).sort()).toEqual(all.filter((to) => to !== ALIKE).sort())
    expect(vendor.requests).toBeLessThan(all.length)
    const [{ charge } = { charge: 0 }] = deliveries
    expect(before - (await balanceOf(service))).toBe(charge * (all.length - 1))
  })

  test('is reported by id and number: an id alone, or with another number, settles nothing', async () => {
    const { service, vendor } = await open(() => ({ made: 'taken' }))
    const id = await send(service, `${TO},${ALIKE}`)
    await until('both to be accepted', () => vendor.taken.length === 2)
    await until('both to be sent', async () =>
      (await deliveriesOf(service, id)).every(({ status }) => status === 'sent'),
    )
    const message_id = vendor.taken[0]?.id
    const post = async (report: object) => {
      const body = JSON.stringify({ type: 'outbound', message_id, status: 'DELIVERED', ...report })
      const signature = createHmac('sha512', 'tsk-of-the-emulator').update(body).digest('hex')
      const headers = { 'x-termii-signature': signature, 'content-type': 'application/json' }
      const answer = await fetch(`${service.url}/carriers/http/vendor/reports`, { method: 'POST', body, headers })
      expect(answer.status).toBe(200)
    }
    await post({})
    await post({ receiver: '2349031234567' })
    await post({ receiver: ALIKE })
    await until('the report', async () =>
      (await deliveriesOf(service, id)).some(({ status }) => status === 'delivered'),
    )
    expect((await deliveriesOf(service, id)).map(({ recipient, status }) => `${recipient} ${status}`).sort()).toEqual([
      `${ALIKE} delivered`,
      `${TO} sent`,
    ])
  })

  test('does not break reports on messages sent before ids were shared', async () => {
    const { service, vendor } = await open(() => ({ made: 'taken' }))
    const id = await send(service, TO)
    await until('it to be sent', async () => (await deliveriesOf(service, id)).every(({ status }) => status === 'sent'))
    await service.db`update submissions set carrier_message_id = split_part(carrier_message_id, '/', 1)`
    expect(await vendor.report(TO, 'delivered')).toBe(true)
    expect(await ended(service, id)).toMatchObject([{ status: 'delivered' }])
  })
})
