import { afterAll, beforeAll, expect, test } from 'vitest'
import { findTwin } from '../../src/organisations/store.ts'
import { campaignOf, estimated, reached, type Campaign } from '../support/campaign.ts'
import { person, type Person } from '../support/person.ts'
import { runGangan } from '../support/process.ts'
import { caller, openService, type Organisation, type TestService } from '../support/service.ts'
import { bind, makeAccount, tryBind } from '../support/smpp-client.ts'
import { until } from '../support/until.ts'

let service: TestService
let operator: Person
let own: Organisation
let other: Organisation
beforeAll(async () => {
  service = await openService({ settings: { smpp_server: { port: 0 } } })
  own = await service.organisation()
  other = await service.organisation()
  operator = await person(service, null)
})
afterAll(() => service.close())

const MESSAGE = { recipients: '08031234567', content: 'Hello' }
const suspend = (suspended: boolean, id = own.id) =>
  operator.call<{ organisation: object }>('POST', `/console/api/organisations/${id}/suspension`, {
    suspended,
    reason: 'unpaid',
  })

test('a suspended organisation is rejected by all APIs, its users may read, and others are not affected', async () => {
  const ada = await person(service, own.id)
  const login = await makeAccount(own)
  const bound = await bind(service.smpp_port, login)
  const { key: test_key } = await service.organisation({ of: own, mode: 'test' })
  const hook = await own.call<{ name: string; secret: string }>('POST', '/hooks', { kind: 'logto' })
  const post = async () => {
    const headers = { authorization: hook.body.secret, 'content-type': 'application/json' }
    const body = JSON.stringify({ to: '+2348031234567', type: 'SignIn', payload: { code: '561166' } })
    return (await fetch(`${service.url}/hooks/${hook.body.name}`, { method: 'POST', headers, body })).status
  }
  expect(await post()).toBe(200)

  const done = await suspend(true)
  expect(done.body.organisation).toMatchObject({ id: own.id, suspended_datetime: expect.any(String) })
  await until('keys to be rejected', async () => (await own.call('POST', '/sms/send', MESSAGE)).status === 403)
  const refused = await own.call('POST', '/sms/send', MESSAGE)
  expect(refused.body).toMatchObject({ status: 403, message: expect.stringContaining('suspended') })
  expect((await own.call('GET', '/balance')).status).toBe(403)
  const in_test = caller(service.url, test_key)
  await until('the test twin to be rejected', async () => (await in_test('POST', '/sms/send', MESSAGE)).status === 403)
  expect(await post()).toBe(403)
  await until('the bind to be closed', () => bound.is_closed)
  expect((await tryBind(service.smpp_port, login)).status).toBe(0x0d)
  expect((await ada.call('GET', '/balance')).status).toBe(200)
  expect((await ada.call('POST', '/sms/send', MESSAGE)).status).toBe(403)
  expect((await ada.call('POST', '/console/api/keys', { mode: 'live' })).status).toBe(403)
  expect((await other.call('POST', '/sms/send', MESSAGE)).status).toBe(200)

  expect((await suspend(false)).body.organisation).not.toHaveProperty('suspended_datetime')
  await until('keys to be accepted again', async () => (await own.call('POST', '/sms/send', MESSAGE)).status === 200)
  expect(await post()).toBe(200)
  const audit = await operator.call<{ entries: { action: string }[] }>(
    'GET',
    `/console/api/audit?organisation_id=${own.id}`,
  )
  expect(audit.body.entries.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['organisation.suspend', 'organisation.resume']),
  )
})

test('a campaign is paused meanwhile, and then continues', async () => {
  const recipients = Array.from({ length: 50 }, (_, n) => ({ to: `23480310000${String(n).padStart(2, '0')}` }))
  const id = await campaignOf(own, { name: 'Sale', content: 'Hello' }, recipients)
  const { estimate } = await estimated(own, id)
  await suspend(true)
  const asOperator = {
    call: <T>(method: string, path: string, body?: unknown) =>
      operator.call<T>(method, path, body, { 'x-organisation-id': own.id }),
  }
  const sure = { people: estimate?.people, charge: estimate?.charge }
  expect((await asOperator.call('POST', `/campaigns/${id}/start`, sure)).status).toBe(200)
  await until('it to be postponed', async () => {
    const put_off = await service.db`
      select 1 from jobs where organisation_id = ${own.id} and subject_id = ${id} and run_at > now() + interval '1 s'`
    return put_off.length > 0
  })
  const { body } = await asOperator.call<Campaign>('GET', `/campaigns/${id}`)
  expect(body).toMatchObject({ status: 'running', outcomes: {} })
  await suspend(false)
  await reached(asOperator, id, 'finished', 60_000)
})

test('only the operator can suspend, an existing organisation, also from the command line', async () => {
  const ada = await person(service, own.id)
  const path = `/console/api/organisations/${own.id}/suspension`
  expect((await ada.call('POST', path, { suspended: true, reason: 'x' })).status).toBe(403)
  const twin = (await findTwin(service.db, own.id))?.id ?? ''
  expect((await suspend(true, twin)).status).toBe(404)
  expect((await suspend(true, 'nobody')).status).toBe(404)
  expect((await operator.call('POST', path, { suspended: 'yes' })).status).toBe(400)
  const env = { DATABASE_URL: service.database.url }
  expect(await runGangan(['organisations', 'suspend', other.id], env)).toMatchObject({ code: 0 })
  expect((await runGangan(['organisations', 'list'], env)).stdout).toMatch(new RegExp(`${other.id} .*suspended`))
  await until('it to take effect', async () => (await other.call('GET', '/balance')).status === 403)
  expect(await runGangan(['organisations', 'resume', other.id], env)).toMatchObject({ code: 0 })
  expect(await runGangan(['organisations', 'suspend', twin], env)).toMatchObject({ code: 3 })
  await until('it to take effect', async () => (await other.call('GET', '/balance')).status === 200)
})

test('the operator sees how many messages each organisation has sent', async () => {
  const list = () =>
    operator.call<{ organisations: { id: string; accepted_day: number }[] }>('GET', '/console/api/organisations')
  const listed = await until('the count', async () => {
    const one = (await list()).body.organisations.find(({ id }) => id === other.id)
    return one && one.accepted_day > 0 && one
  })
  expect(listed).toMatchObject({ id: other.id, accepted_day: 1 })
})
