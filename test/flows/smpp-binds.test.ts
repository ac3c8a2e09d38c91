import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { BindRow } from '../../src/carriers/smpp/carrier/binds-store.ts'
import { listCarriers } from '../../src/carriers/smpp/carrier/list.ts'
import { startSmsc, type Smsc } from '../../src/emulators/smsc/smsc.ts'
import { openService, type TestService, type TestServiceOptions } from '../support/service.ts'
import { person } from '../support/person.ts'
import { smppCarrier, smppRoute } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

let smsc: Smsc
let service: TestService
const others: TestService[] = []

beforeEach(async () => {
  smsc = await startSmsc({ accounts: [{ system_id: 'gangan', password: 'secret' }], max_binds: 2 })
})
afterEach(async () => {
  for (const other of others.splice(0)) await other.close()
  await service.close()
  await smsc.stop()
})

function options(more: object = {}): TestServiceOptions {
  return { settings: { carriers: [smppCarrier(smsc.port, { binds: 2, ...more })], routes: [smppRoute] } }
}

async function another(more: object = {}): Promise<TestService> {
  const other = await openService({ ...options(more), beside: service })
  others.push(other)
  return other
}

const binds = async (): Promise<BindRow[]> =>
  service.db<BindRow[]>`select bind, holder, state from carrier_binds where lease_until > now() order by bind`

const bothBound = () =>
  until('both binds', async () => smsc.bound === 2 && (await binds()).every(({ state }) => state === 'bound'))

const sent = (id: string) =>
  until('it to be sent', async () => {
    const [row] = await service.db`select status from deliveries where message_id = ${id}`
    return row?.status !== 'queued'
  })

describe('a bind', () => {
  test('is held by one process, and another takes it over when that stops', async () => {
    service = await openService({ ...options(), workers: false })
    const one = await another()
    await bothBound()
    const two = await another()
    const before = await binds()
    expect(before).toHaveLength(2)
    await two.call('GET', '/ready')
    expect(smsc.counts.binds).toBe(2)
    expect(smsc.counts.binds_refused).toBe(0)

    others.splice(others.indexOf(one), 1)
    await one.close()
    expect(smsc.counts.unbinds).toBe(2)
    await bothBound()
    const after = await binds()
    expect(after.every(({ holder }) => !before.some((bind) => bind.holder === holder))).toBe(true)
    expect(smsc.counts.binds).toBe(4)

    const { body } = await service.call<{ id: string }>('POST', '/sms/send', {
      recipients: '08031234567',
      content: 'x',
    })
    await sent(body.id)
  })

  test('of a process that died is taken over when its lease expires, not before', async () => {
    service = await openService({ ...options(), workers: false })
    await service.db`
      insert into carrier_binds (carrier, bind, holder, lease_until)
      values ('mtn', 1, gen_random_uuid(), now() + interval '3 s'), ('mtn', 2, gen_random_uuid(), now() + interval '3 s')`
    const began = Date.now()
    await another()
    await until('the first bind', () => smsc.counts.binds > 0)
    expect(Date.now() - began).toBeGreaterThan(2_000)
    await bothBound()
  })

  test('that another process holds by now is closed', async () => {
    service = await openService(options())
    await bothBound()
    await service.db`
      update carrier_binds set holder = gen_random_uuid(), lease_until = now() + interval '60 s' where bind = 1`
    await until('it to be closed', () => smsc.bound === 1)
    expect(smsc.counts.unbinds).toBe(1)
  })

  test('with a wrong password is rejected, rarely retried, and the operator sees why', async () => {
    service = await openService(options({ password: 'wrong', binds: 1 }))
    const carrier = await until('the reason', async () => {
      const [only] = await listCarriers(service)
      return only?.binds[0]?.figures?.reason ? only : undefined
    })
    expect(carrier.binds[0]?.figures?.reason).toContain('RINVPASWD')
    expect(carrier.binds[0]?.figures?.retry_in_ms).toBeGreaterThan(60_000)
    expect(smsc.counts.binds_refused).toBe(1)
    expect(service.log_lines.some(({ level, sentence }) => level === 'error' && sentence.includes('credentials'))).toBe(
      true,
    )
  })

  test('shows its traffic, without texts and complete numbers', async () => {
    service = await openService(options({ binds: 1 }))
    smsc.change({ errors: { RINVDSTADR: 1 } })
    const secret = { recipients: '2348031234567', content: 'a secret text' }
    await service.call('POST', '/sms/send', secret)
    await until('the refusal', () => smsc.counts.refused === 1)
    smsc.change({ errors: {} })
    await service.call('POST', '/sms/send', secret)
    const carrier = await until('the statistics', async () => {
      const [only] = await listCarriers(service)
      const figures = only?.binds[0]?.figures
      const reported = only?.binds[0]?.pdus?.some(({ command }) => command === 'deliver_sm')
      return figures?.submitted === 2 && figures.received === 1 && reported ? only : undefined
    })
    expect(carrier).toMatchObject({ carrier: 'mtn', kind: 'smpp', up: true })
    const [bind] = carrier.binds
    expect(bind?.figures).toMatchObject({
      state: 'bound',
      window: 10,
      inflight: 0,
      rate: null,
      errors: { RINVDSTADR: 1 },
    })
    expect(bind?.figures?.latency_ms.reduce((sum, { count }) => sum + count, 0)).toBe(2)
    expect(JSON.stringify(bind?.pdus)).not.toMatch(/secret|2348031234567/)
    expect(bind?.pdus?.map(({ command }) => command)).toContain('submit_sm_resp')

    const operator = await person(service, null)
    const { body } = await operator.call<{ carriers: object[] }>('GET', '/console/api/carriers')
    expect(body.carriers).toEqual([{ name: 'mtn', kind: 'smpp', state: 'up', detail: '1 of 1 bind is up' }])
    const listed = await operator.call<{ carriers: { binds: object[] }[] }>('GET', '/console/api/carriers/binds')
    expect(listed.body.carriers[0]?.binds[0]).toMatchObject({ bind: 1, state: 'bound', figures: { submitted: 2 } })
    expect(listed.body.carriers[0]?.binds[0]).not.toHaveProperty('pdus')
    const one = await operator.call('GET', '/console/api/carriers/mtn/binds/1')
    expect(one.body).toMatchObject({ carrier: 'mtn', pdus: expect.arrayContaining([]) })
    expect((await operator.call('GET', '/console/api/carriers/mtn/binds/9')).status).toBe(404)

    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    expect(metrics).toContain('gangan_smpp_answers_total{carrier="mtn",status="RINVDSTADR"} 1')
    expect(metrics).toContain('gangan_smpp_bound{carrier="mtn",bind="1"} 1')
  })

  test('may be a transmitter and a receiver', async () => {
    service = await openService(options({ binds: 1, mode: 'pair' }))
    await until('both of them', () => smsc.bound === 2)
    const { body } = await service.call<{ id: string }>('POST', '/sms/send', {
      recipients: '08031234567',
      content: 'x',
    })
    const delivered = await until('its report', async () => {
      const [row] = await service.db`select status, carrier from deliveries where message_id = ${body.id}`
      return row?.status === 'delivered' && row
    })
    expect(delivered.carrier).toBe('mtn')
  })

  test('stays within the rate of the account, for any number of binds', async () => {
    service = await openService(options({ rate_per_account: 20, window: 50 }))
    await bothBound()
    const recipients = Array.from({ length: 60 }, (_, n) => `234803000${1_000 + n}`).join(',')
    const began = Date.now()
    await service.call('POST', '/sms/send', { recipients, content: 'x' })
    await until('all of them', () => smsc.counts.accepted === 60)
    expect(Date.now() - began).toBeGreaterThan(2_000)
  })
})
