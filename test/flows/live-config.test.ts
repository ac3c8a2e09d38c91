import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { person } from '../support/person.ts'
import { openService, type TestService } from '../support/service.ts'
import { startNpmSmsc, type NpmSmsc } from '../support/npm-smsc.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

const NOT_OURS = 0x45

let first: NpmSmsc
let second: NpmSmsc
let service: TestService | undefined

beforeEach(async () => {
  first = await startNpmSmsc()
  second = await startNpmSmsc()
})
afterEach(async () => {
  await service?.close()
  await first.close()
  await second.close()
})

const carriers = () => [
  smppCarrier(first.port, { name: 'first' }),
  smppCarrier(second.port, { name: 'second' }),
  smppCarrier(9, { name: 'unreachable' }),
]
const routeTo = (...names: string[]) => ({ name: 'sms', channel: 'sms', carriers: names })

test('what was to be retried by a carrier that leaves the route goes to the first carrier of the route', async () => {
  const by = await openService({ settings: { carriers: carriers(), routes: [routeTo('first', 'unreachable')] } })
  service = by
  await until('the bind', () => first.binds.length > 0)
  first.answer = () => ({ command_status: NOT_OURS })
  const sent = await by.call<{ id: string }>('POST', '/sms/send', { recipients: '2348031234567', content: 'Hello' })
  await until('the message to wait for the second carrier', async () => {
    const [job] = await by.db`select 1 from jobs where queue = 'route:sms>unreachable'`
    return job
  })
  await by.reload({ carriers: carriers(), routes: [routeTo('second')] })
  await until('the message to be sent', async () => {
    const [row] = await by.db<{ carrier: string; status: string }[]>`
      select carrier, status from deliveries where message_id = ${sent.body.id}`
    return row?.status === 'sent' && row.carrier === 'second'
  })
  expect([first.submits.length, second.submits.length]).toEqual([1, 1])
})

test('secrets that cannot be read keep the service from starting, until they are entered again', async () => {
  const settings = { carriers: carriers(), routes: [routeTo('first')] }
  const by = await openService({ settings })
  service = by
  const operator = await person(by, null)
  const path = '/console/api/configuration/carriers'
  const third = smppCarrier(9, { name: 'third' })
  const made = await operator.call<{ entry: { version: number } }>('POST', path, { settings: third })
  expect(made.status).toBe(200)
  await by.db`update configured_entries set secrets = 'sealed:AAAA' where name = 'third'`
  await expect(openService({ beside: by, settings })).rejects.toThrow(
    /carriers\.third: its secrets were sealed under another/,
  )
  const route = { name: 'more', channel: 'sms', prefix: '254', carrier: 'third' }
  const other = await operator.call<{ errors: { field: string }[] }>('POST', '/console/api/configuration/routes', {
    settings: route,
  })
  expect([other.status, other.body.errors.map(({ field }) => field)]).toEqual([400, ['carriers.third']])
  const { version } = made.body.entry
  expect((await operator.call('PATCH', `${path}/third`, { version, settings: third })).status).toBe(200)
  await (await openService({ beside: by, settings })).close()
})

describe('a test message', () => {
  const answerOf = async (by: TestService, carrier: string, body: object = {}) => {
    const operator = await person(by, null)
    return operator.call<{ test: object; errors?: { field: string }[] }>(
      'POST',
      `/console/api/carriers/${carrier}/test`,
      {
        recipient: '0803 123 4567',
        sender_id: 'Gangan',
        ...body,
      },
    )
  }

  test('goes through the named carrier once, though it is paused, and is neither stored nor charged', async () => {
    const settings = { carriers: carriers(), routes: [routeTo('first')] }
    const by = await openService({ settings })
    service = by
    const beside = await openService({ beside: by, settings })
    try {
      await until('the bind', () => second.binds.length > 0)
      const operator = await person(by, null)
      await operator.call('POST', '/console/api/carriers/second/pause', { mode: 'paused', reason: 'a test' })
      const { status, body } = await answerOf(beside, 'second', { text: 'One, two' })
      expect([status, body]).toMatchObject([200, { test: { outcome: 'accepted' } }])
      expect(second.submits).toHaveLength(1)
      expect(second.submits[0]).toMatchObject({ destination_addr: '2348031234567', source_addr: 'Gangan' })
      expect(await by.db`select 1 from deliveries`).toEqual([])
      second.answer = () => ({ command_status: NOT_OURS })
      expect((await answerOf(by, 'second')).body).toMatchObject({ test: { outcome: 'rejected' } })
      expect(first.submits).toEqual([])
    } finally {
      await beside.close()
    }
  })

  test('is refused without a connection, for other kinds, and for what is no number', async () => {
    service = await openService({ settings: { carriers: carriers(), routes: [routeTo('first')] } })
    expect(await answerOf(service, 'unreachable')).toMatchObject({ status: 503 })
    expect(await answerOf(service, 'nobody')).toMatchObject({ status: 404 })
    const wrong = await answerOf(service, 'first', { recipient: 'Ada' })
    expect([wrong.status, wrong.body.errors?.map(({ field }) => field)]).toEqual([400, ['recipient']])
    expect(first.submits).toEqual([])
  })
})
