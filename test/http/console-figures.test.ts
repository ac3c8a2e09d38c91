import { afterAll, beforeAll, expect, test } from 'vitest'
import { person } from '../support/person.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let service: TestService
let receiver: Receiver

beforeAll(async () => {
  service = await openService()
  receiver = await startReceiver()
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

type Overview = {
  attention: { kind: string; state: string; name?: string; count?: number; at?: string }[]
  totals: Record<string, number>
  previous: Record<string, number>
}
const OVERVIEW = '/console/api/overview?range=hour'

test('the overview lists what needs attention, of what the role may read', async () => {
  const own = await service.organisation({ credit: 1_000 })
  const owner = await person(service, own.id)
  const finance = await person(service, own.id, own.id, 'finance')

  await own.call('PATCH', '/settings', { low_balance: 2_000 })
  const expires_datetime = new Date(Date.now() + 3 * 86_400_000).toISOString()
  await owner.call('POST', '/console/api/keys', { mode: 'live', name: 'Shop', expires_datetime })
  const later = new Date(Date.now() + 30 * 86_400_000).toISOString()
  await owner.call('POST', '/console/api/keys', { mode: 'live', name: 'Next year', expires_datetime: later })
  receiver.answer = () => 500
  const { url } = receiver
  await own.call('POST', '/webhooks', { url, events: ['text.*'] })
  const imported = await own.call<{ id: string }>('POST', '/lists/contact/imports', {
    rows: [
      ['Name', 'Mobile'],
      ['Ada', '08031234567'],
      ['Eze', 'none'],
    ],
  })
  await own.call('POST', '/sms/send', { recipients: '08031234567', content: 'x' })
  await until('the import to end and the webhook to fail', async () => {
    const done = await own.call<{ status: string }>('GET', `/lists/contact/imports/${imported.body.id}`)
    const { body } = await own.call<{ webhooks: { failing_since?: string }[] }>('GET', '/webhooks')
    return done.body.status === 'done' && body.webhooks[0]?.failing_since !== undefined
  })

  const { body } = await owner.call<Overview>('GET', OVERVIEW)
  expect(body.attention).toEqual([
    { kind: 'balance', state: 'low' },
    { kind: 'webhook', state: 'failing', name: url, at: expect.any(String) },
    { kind: 'key', state: 'expiring', name: 'Shop', at: expect.any(String) },
    { kind: 'import', state: 'partial', id: imported.body.id, count: 1, at: expect.any(String) },
  ])
  const seen = await finance.call<Overview>('GET', OVERVIEW)
  expect(seen.body.attention.map(({ kind }) => kind)).toEqual(['balance'])
})

test('the network of a number is known before airtime is bought, also after porting; half a number has none', async () => {
  const owner = await person(service, service.id)
  const networkOf = async (phone: string) => {
    const { body } = await owner.call<{ network?: string }>('GET', `/console/api/airtime/network?phone=${phone}`)
    return body.network
  }
  expect(await networkOf('0803 123 4567')).toBe('MTN')
  await service.db`
    insert into carrier_facts (msisdn, operator, operator_noted) values (2348031234568, 'Glo', now())`
  expect(await networkOf('08031234568')).toBe('Glo')
  expect(await networkOf('0803')).toBeUndefined()
  expect(await networkOf('+14155552671')).toBeUndefined()
})

test('the overview has the totals of the period before, apart from those of this one', async () => {
  const own = await service.organisation({ credit: 1_000 })
  const owner = await person(service, own.id)
  await service.db`
    insert into activity (organisation_id, minute, accepted, delivered, spend)
    values (${own.id}, date_trunc('minute', now()) - interval '10 minutes', 30, 27, 1200000),
      (${own.id}, date_trunc('minute', now()) - interval '70 minutes', 20, 20, 800000),
      (${own.id}, date_trunc('minute', now()) - interval '130 minutes', 500, 500, 1)`
  const { body } = await owner.call<Overview>('GET', OVERVIEW)
  expect(body.totals).toMatchObject({ accepted: 30, delivery_rate: 1, spend: 120 })
  expect(body.previous).toMatchObject({ accepted: 20, delivery_rate: 1, spend: 80 })
})
