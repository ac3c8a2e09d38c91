import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeReceiveReports } from '../../src/messaging/reports/receive-reports.ts'
import { makeWakeups } from '../../src/queue/wakeups.ts'
import { everyDelivery } from '../support/every.ts'
import { openService, type TestService } from '../support/service.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

type Delivery = { recipient: string; status: string; code?: string; charge: number; refunded: boolean }
type Message = { id: string; meta: { estimate: { charge: number } }; deliveries: Delivery[]; errors: unknown[] }

const OPEN = '2348031234567'
const SILENT = '2348051234567'

const carriers = [
  { kind: 'simulator', name: 'simulator', report_delay_ms: 20 },
  { kind: 'simulator', name: 'ads', report_delay_ms: 20 },
]
const routes = [
  { name: 'main', channel: 'sms', carrier: 'simulator' },
  { name: 'ads', channel: 'sms', carrier: 'ads', class: 'promotional' },
  { name: 'whatsapp', channel: 'whatsapp', carrier: 'simulator' },
]
const prices = [
  { channel: 'sms', price: 4 },
  { channel: 'sms', class: 'promotional', price: 3 },
  { channel: 'whatsapp', price: 6 },
]

async function open(settings: Record<string, unknown>): Promise<TestService> {
  const service = await openService({ settings: { carriers, routes, prices, ...settings } })
  await service.db`insert into dnd_numbers values (${SILENT})`
  return service
}

async function ended(service: TestService, id: string): Promise<Delivery[]> {
  return until('the message to end', async () => {
    const { body } = await service.call<Message>('GET', `/sms/${id}`)
    return body.deliveries.every(({ status }) => !['queued', 'sent'].includes(status)) && body.deliveries
  })
}

const routesOf = async (service: TestService, id: string) =>
  (
    await service.db<
      { recipient: string; route: string }[]
    >`select recipient, route from ${everyDelivery(service.db)} delivery where message_id = ${id} order by position`
  ).map(({ recipient, route }) => `${recipient} ${route}`)

describe('a promotional message, if do-not-disturb numbers are skipped', () => {
  let service: TestService
  let receiver: Receiver
  beforeAll(async () => {
    service = await open({})
    receiver = await startReceiver()
  })
  afterAll(async () => {
    await service.close()
    await receiver.close()
  })

  test('is rejected for them without a charge, and sent to the others', async () => {
    const { body } = await service.call<Message>('POST', '/sms/send', {
      recipients: `${OPEN},${SILENT}`,
      content: 'Sale!',
      route_class: 'Promotional',
      callback: receiver.url,
    })
    expect(body.meta.estimate.charge).toBe(3)
    expect(await ended(service, body.id)).toMatchObject([
      { recipient: OPEN, status: 'delivered', charge: 3, refunded: false },
      { recipient: SILENT, status: 'rejected', code: 'dnd', charge: 0, refunded: false },
    ])
    expect(await routesOf(service, body.id)).toEqual([`${OPEN} ads`, `${SILENT} refused:dnd`])
    const posts = await receiver.wait(2)
    const types = posts.map(({ json }) => `${json.type} ${json.data.recipient}`)
    expect(types.sort()).toEqual([`text.delivered ${OPEN}`, `text.rejected ${SILENT}`])
    const account = await service.call<{ balance: number; entries: { kind: string }[] }>('GET', '/balance')
    expect(account.body.balance).toBe(997)
    expect(account.body.entries.map(({ kind }) => kind)).toEqual(['message', 'opening'])
  })

  test('to such numbers only is accepted, and costs nothing', async () => {
    const by = await service.organisation({ credit: 0 })
    const body = { recipients: SILENT, content: 'Sale!', route_class: 'promotional' }
    const answer = await by.call<Message>('POST', '/sms/send', body)
    expect([answer.status, answer.body.meta.estimate.charge]).toEqual([200, 0])
  })

  test('affects neither transactional messages nor WhatsApp', async () => {
    const plain = await service.call<Message>('POST', '/sms/send', { recipients: SILENT, content: 'Your code' })
    expect(plain.body.meta.estimate.charge).toBe(4)
    expect(await ended(service, plain.body.id)).toMatchObject([{ status: 'delivered' }])
    const whatsapp = { recipients: SILENT, content: 'Sale!', channel: 'whatsapp', route_class: 'promotional' }
    const other = await service.call<Message>('POST', '/sms/send', whatsapp)
    expect(other.body.meta.estimate.charge).toBe(6)
  })

  test('rejects other values', async () => {
    const answer = await service.call<Message>('POST', '/sms/send', {
      recipients: OPEN,
      content: 'x',
      route_class: 'urgent',
    })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject([{ field: 'route_class', type: 'enum' }])
  })
})

describe('a promotional message, if do-not-disturb numbers get it as transactional', () => {
  test('uses the transactional route for them, at its price', async () => {
    const service = await open({ dnd: 'transactional' })
    const { body } = await service.call<Message>('POST', '/sms/send', {
      recipients: `${OPEN},${SILENT}`,
      content: 'Sale!',
      route_class: 'promotional',
    })
    expect(body.meta.estimate.charge).toBe(7)
    await ended(service, body.id)
    expect(await routesOf(service, body.id)).toEqual([`${OPEN} ads`, `${SILENT} main`])
    await service.close()
  })
})

describe('facts reported by carriers', () => {
  test('are stored: a number reported as do-not-disturb is skipped from then on', async () => {
    const service = await open({})
    const number = '2348000000004'
    const body = { recipients: number, content: 'Sale!', route_class: 'promotional' }
    const first = await service.call<Message>('POST', '/sms/send', body)
    expect(await ended(service, first.body.id)).toMatchObject([{ status: 'undelivered', code: '008', charge: 3 }])
    await until('the fact', async () => {
      return (await service.call<{ dnd: boolean }>('GET', `/lookup/phone?phone=${number}`)).body.dnd
    })
    const second = await service.call<Message>('POST', '/sms/send', body)
    expect(await ended(service, second.body.id)).toMatchObject([{ status: 'rejected', code: 'dnd', charge: 0 }])
    await service.close()
  })

  test('are stored: a report names the operator of the number', async () => {
    const service = await open({})
    const recipient = '2348000000008'
    const sent = await service.call<Message>('POST', '/sms/send', { recipients: recipient, content: 'x' })
    await until('the submission', async () => (await service.db`select 1 from submissions`).length > 0)
    const wakeups = await makeWakeups(service.db)
    await makeReceiveReports({ db: service.db, wakeups })([
      {
        carrier: 'simulator',
        carrier_message_id: `${sent.body.id}-${recipient}`,
        status: 'delivered',
        code: '000',
        description: 'delivered',
        operator: '62150',
      },
    ])
    const found = await until('the fact', async () => {
      const { body } = await service.call<{ operator: string }>('GET', `/lookup/phone?phone=${recipient}`)
      return body.operator !== '' && body
    })
    expect(found).toMatchObject({ operator: 'Glo', ported: false, meta: { source: 'carrier' } })
    await wakeups.close()
    await service.close()
  })
})

describe('a price that names an operator', () => {
  test('follows ported numbers', async () => {
    const service = await open({ prices: [...prices, { channel: 'sms', country: 'NG', operator: 'MTN', price: 1 }] })
    await service.db`insert into ported_numbers values (2348031111111, 'Glo'), (2348051111111, 'MTN')`
    const charge = async (recipients: string) =>
      (await service.call<Message>('POST', '/sms/send', { recipients, content: 'x' })).body.meta.estimate.charge
    expect(await charge('2348032222222')).toBe(1)
    expect(await charge('2348031111111')).toBe(4)
    expect(await charge('2348051111111,2348052222222,254722123456')).toBe(1 + 4 + 4)
    await service.close()
  })
})
